#include "CChecksum.h"
#include <string.h>

static uint32_t table[256];

__attribute__((constructor(101))) static void fill_table(void) {
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
#include <immintrin.h>

// The processor takes a word a cycle but gives its result after three. So three parts of the bytes
// are done at once, and two results are moved behind the bytes that follow them: multiplied, as
// polynomials, by x to the number of those bits (Gopal and others: "Fast CRC Computation for iSCSI
// Polynomial Using CRC32 Instruction", Intel, 2011).

// A part has at most so many words.
#define MOST_WORDS 128
// Below that the processor overlaps one call with the next, which no multiplication beats.
#define LEAST_WORDS 12

// By number of words: what moves a result so far less one word, as the next CRC step, which takes
// the product in, moves it by that word.
static uint32_t shifts[2 * MOST_WORDS + 1];

// x to the power of `bits`, less the 32 + 1 that the product and its reduction add, bits reversed.
static uint32_t power(unsigned bits) {
  uint32_t r = 0x80000000u; // 1
  for (unsigned n = bits - 33; n; n--)
    r = (r >> 1) ^ (0x82F63B78u & (0u - (r & 1u)));
  return r;
}

static int has_sse42, has_pclmul;

__attribute__((constructor(102))) static void detect(void) {
  __builtin_cpu_init();
  has_sse42 = __builtin_cpu_supports("sse4.2") != 0;
  has_pclmul = has_sse42 && __builtin_cpu_supports("pclmul") != 0;
  for (unsigned n = 1; n <= 2 * MOST_WORDS; n++)
    shifts[n] = power(64 * n);
}

static inline uint64_t word(const uint8_t *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  return w;
}

__attribute__((target("sse4.2"))) static inline uint64_t words(uint64_t c, const uint8_t *p,
                                                               size_t count) {
  for (; count; p += 8, count--)
    c = _mm_crc32_u64(c, word(p));
  return c;
}

__attribute__((target("sse4.2"))) static uint32_t finish(uint64_t c, const uint8_t *p,
                                                         size_t length) {
  c = words(c, p, length / 8);
  p += length & ~(size_t)7;
  if (length & 4) {
    uint32_t half;
    memcpy(&half, p, 4);
    c = _mm_crc32_u32((uint32_t)c, half);
    p += 4;
  }
  if (length & 2) {
    uint16_t pair;
    memcpy(&pair, p, 2);
    c = _mm_crc32_u16((uint32_t)c, pair);
    p += 2;
  }
  if (length & 1)
    c = _mm_crc32_u8((uint32_t)c, *p);
  return ~(uint32_t)c;
}

// The product of a result and a power of x.
__attribute__((target("sse4.2,pclmul"))) static inline uint64_t moved(uint64_t c, unsigned count) {
  __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)(uint32_t)c),
                                         _mm_cvtsi64_si128((long long)shifts[count]), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t in_parts(uint32_t crc, const uint8_t *p,
                                                                  size_t length) {
  uint64_t a = (uint32_t)~crc;
  while (length >= 3 * 8 * LEAST_WORDS) {
    size_t count = length / 24 < MOST_WORDS ? length / 24 : MOST_WORDS;
    const uint8_t *q = p + 8 * count, *r = q + 8 * count;
    uint64_t b = 0, c = 0;
    for (size_t i = 0; i + 1 < count; i++) {
      a = _mm_crc32_u64(a, word(p + 8 * i));
      b = _mm_crc32_u64(b, word(q + 8 * i));
      c = _mm_crc32_u64(c, word(r + 8 * i));
    }
    a = _mm_crc32_u64(a, word(q - 8));
    b = _mm_crc32_u64(b, word(r - 8));
    // The last word of the third part takes the others' results along.
    p = r + 8 * count;
    a = _mm_crc32_u64(c, word(p - 8) ^ moved(a, 2 * count) ^ moved(b, count));
    length -= 24 * count;
  }
  return finish(a, p, length);
}

uint32_t swipestream_crc32c(uint32_t crc, const void *bytes, size_t length) {
  if (has_pclmul && length >= 3 * 8 * LEAST_WORDS)
    return in_parts(crc, bytes, length);
  return has_sse42 ? finish((uint32_t)~crc, bytes, length)
                   : swipestream_crc32c_portable(crc, bytes, length);
}
#else
uint32_t swipestream_crc32c(uint32_t crc, const void *bytes, size_t length) {
  return swipestream_crc32c_portable(crc, bytes, length);
}
#endif
