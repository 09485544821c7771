#pragma once
#include <stddef.h>
#include <stdint.h>

// A file's bytes, for reading from its beginning to its end.
struct mapped {
  const uint8_t *bytes;
  size_t count;
};

struct mapped map_file(const char *path);
void unmap_file(struct mapped file);
