// Counts the allocations of a process, thread by thread, for a test that watches from outside:
// loaded with LD_PRELOAD, it keeps the counts in the file that ALLOCATION_COUNTS names, as pairs of
// 64-bit numbers: a thread's id and how often it has allocated.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { thread_limit = 256 };

struct count {
  _Atomic int64_t thread, allocations;
};

static struct count *counts;
static atomic_int threads;
// In the initial block of thread-local storage: anything else would allocate on first use.
static __thread struct count *own __attribute__((tls_model("initial-exec")));

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ALLOCATION_COUNTS");
  if (!path) return;
  int file = open(path, O_RDWR);
  if (file < 0) return;
  void *memory = mmap(NULL, thread_limit * sizeof(struct count), PROT_READ | PROT_WRITE, MAP_SHARED,
                      file, 0);
  if (memory != MAP_FAILED) counts = memory;
  close(file);
}

static void note(void) {
  if (!counts) return;
  if (!own) {
    int index = atomic_fetch_add(&threads, 1);
    own = &counts[index < thread_limit ? index : thread_limit - 1];
    own->thread = syscall(SYS_gettid);
  }
  own->allocations++;
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
