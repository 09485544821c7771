#pragma once
#include <stddef.h>
#include <stdint.h>

// CRC-32C (Castagnoli), as RFC 3720 appendix B.4 gives it. Pass 0 to begin, the last result to go on.
uint32_t swipestream_crc32c(uint32_t crc, const void *bytes, size_t length);

// The same without the processor's instruction, so that a test can compare the two.
uint32_t swipestream_crc32c_portable(uint32_t crc, const void *bytes, size_t length);
