#pragma once

/// Has glibc share a few heaps among all threads, so that what one frees another can use.
void clinux_share_heaps(int heaps);

/// Gives free memory back to the system; see malloc_trim(3).
void clinux_return_free_memory(void);
