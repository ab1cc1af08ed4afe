#include "clinux_memory.h"

#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void clinux_share_heaps(int heaps) { mallopt(M_ARENA_MAX, heaps); }

enum { HUGE_PAGE = 2 << 20, HEAP_BYTES = 64 << 20, GROWTH_BYTES = 4 << 20, START_BYTES = 256 << 10, BLOCKS_MAX = 64 };

// Lets the heap grow once to what most pictures need, and asks for large pages for all of it: of the 3,500
// page faults of a small picture 500 are left. A large page is only given where nothing was touched before, so
// the first begins behind what malloc writes here.
static void reserve_heap(void) {
    mallopt(M_TOP_PAD, HEAP_BYTES);
    void *old_end = sbrk(0);
    char *first = malloc(START_BYTES);
    // Blocks that were freed before come first; the heap has not grown.
    for (int i = 0; i < BLOCKS_MAX && first && sbrk(0) == old_end; i++) first = malloc(START_BYTES);
    mallopt(M_TOP_PAD, GROWTH_BYTES);
    if (!first) return;
    uintptr_t behind = (uintptr_t)first + START_BYTES + 64; // the header of what is free
    uintptr_t start = (behind + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t end = (uintptr_t)sbrk(0);
    free(first);
    if (end <= start || madvise((void *)start, end - start, MADV_HUGEPAGE) != 0) return; // small ones do
    // What lies before the first large page is left out; nobody touches it.
    static void *volatile unused;
    unused = malloc(start - (uintptr_t)first);
}

void clinux_keep_free_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most that glibc takes
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    reserve_heap();
}

void clinux_keep_heap_small(void) { mallopt(M_MMAP_THRESHOLD, 64 << 10); }

void clinux_return_free_memory(void) { malloc_trim(0); }
