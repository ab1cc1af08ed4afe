#include "clinux_memory.h"

#include <limits.h>
#include <malloc.h>

void clinux_share_heaps(int heaps) { mallopt(M_ARENA_MAX, heaps); }

void clinux_keep_free_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most that glibc takes
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 4 << 20);
}

void clinux_return_free_memory(void) { malloc_trim(0); }
