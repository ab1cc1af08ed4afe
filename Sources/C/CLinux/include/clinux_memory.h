#pragma once

/// Has glibc share a few heaps among all threads, so that what one frees another can use.
void clinux_share_heaps(int heaps);

/// Has glibc keep the memory that is freed, and take it from one heap whatever its size, of which 64 MB are
/// reserved at once and put into huge pages: for a process that ends soon, and would otherwise ask the system
/// for the same pages again and again.
void clinux_keep_free_memory(void);

/// Gives blocks of 64 KiB and more back when they are freed: for a process of which copies are made, as each of them copies
/// the pages of the heap that it writes. `clinux_keep_free_memory` undoes it.
void clinux_keep_heap_small(void);

/// Gives free memory back to the system; see malloc_trim(3).
void clinux_return_free_memory(void);
