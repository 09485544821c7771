#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's driver (compiler-rt), which has no header of its own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
