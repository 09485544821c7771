#include "CChecksum.h"
#include <string.h>

static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t r = i;
    for (int bit = 0; bit < 8; bit++)
      r = (r >> 1) ^ (0x82F63B78u & (0u - (r & 1u)));
    table[i] = r;
  }
}

uint32_t swipestream_crc32c_portable(uint32_t crc, const void *bytes, size_t length) {
  const uint8_t *p = bytes;
  crc = ~crc;
  while (length--)
    crc = (crc >> 8) ^ table[(crc ^ *p++) & 0xFF];
  return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(uint32_t crc, const uint8_t *p,
                                                               size_t length) {
  uint64_t c = (uint32_t)~crc;
  for (; length >= 8; p += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    c = _mm_crc32_u64(c, word);
  }
  for (; length; p++, length--)
    c = _mm_crc32_u8((uint32_t)c, *p);
  return ~(uint32_t)c;
}

static int has_sse42;

__attribute__((constructor)) static void detect(void) {
  __builtin_cpu_init();
  has_sse42 = __builtin_cpu_supports("sse4.2") != 0;
}

uint32_t swipestream_crc32c(uint32_t crc, const void *bytes, size_t length) {
  return has_sse42 ? crc32c_sse42(crc, bytes, length)
                   : swipestream_crc32c_portable(crc, bytes, length);
}
#else
uint32_t swipestream_crc32c(uint32_t crc, const void *bytes, size_t length) {
  return swipestream_crc32c_portable(crc, bytes, length);
}
#endif
