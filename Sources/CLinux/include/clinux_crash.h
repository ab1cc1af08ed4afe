#pragma once
#include <sys/types.h>

/// From now on a deadly signal that this process raises itself, by a fault or with abort(3), writes its number as one
/// byte at `offset` of the descriptor `file`; then the process ends as it would have. A signal that somebody else sends
/// writes nothing. Returns 0 or an errno.
int clinux_note_crashes(int file, off_t offset);

/// Gives the calling thread a stack of its own for that, unless it has one: a thread that has run out of stack could not
/// write otherwise. The stack is freed when the thread ends.
void clinux_prepare_for_crash(void);
