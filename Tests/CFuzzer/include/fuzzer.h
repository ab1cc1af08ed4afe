// What libFuzzer offers to the code that it tries; in LLVM it stands in FuzzerInterface.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Changes the `size` bytes at `data`, at random, to at most `size_max`; returns how many there are then.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);
