#define _GNU_SOURCE
#include "mapped.h"
#include "bare.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct mapped map_file(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  check(descriptor >= 0, path, strerror(errno));
  struct stat status;
  check(fstat(descriptor, &status) == 0, path, strerror(errno));
  struct mapped file = {NULL, (size_t)status.st_size};
  if (file.count > 0) {
    void *bytes = mmap(NULL, file.count, PROT_READ, MAP_SHARED, descriptor, 0);
    check(bytes != MAP_FAILED, path, strerror(errno));
    madvise(bytes, file.count, MADV_SEQUENTIAL);
    file.bytes = bytes;
  }
  close(descriptor);
  return file;
}

void unmap_file(struct mapped file) {
  if (file.count > 0) munmap((void *)file.bytes, file.count);
}
