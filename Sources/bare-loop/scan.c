// The raw scan: every byte of the files goes through a CRC-32C, in blocks of a record's size, and
// nothing else is done with it.

#include "bare.h"
#include "mapped.h"
#include <CChecksum.h>
#include <stdio.h>

void scan(char **paths, size_t count, size_t block_bytes) {
  size_t bytes = 0, blocks = 0;
  uint32_t all = 0;
  double start = now();
  for (size_t i = 0; i < count; i++) {
    struct mapped file = map_file(paths[i]);
    for (size_t at = 0; at < file.count; at += block_bytes) {
      size_t length = file.count - at < block_bytes ? file.count - at : block_bytes;
      all ^= swipestream_crc32c(0, file.bytes + at, length);
      blocks++;
    }
    bytes += file.count;
    unmap_file(file);
  }
  // The checksum is printed so that the compiler has to keep it.
  printf("{\"what\":\"scan\",\"bytes\":%zu,\"blocks\":%zu,\"seconds\":%.6f,\"checksum\":%u}\n", bytes,
         blocks, now() - start, all);
}
