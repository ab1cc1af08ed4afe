#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Starts the program at `path` with `arguments` (the last one NULL), no environment, all signals as at
/// first, a process group of its own, and the `count` descriptors of `descriptors` as 0, 1, 2...; nothing
/// else is open in it. Returns 0 and the process in `*process`, or an errno.
int clinux_spawn(
    const char *path, char *const arguments[], const int *descriptors, int count, pid_t *process);

/// Copies the calling process, as fork(2) does, but as a child of its parent (CLONE_PARENT of clone(2)). -1 with errno: EBUSY
/// if it has several threads, of which a copy would lack all but one. Unlike fork(3) it runs nothing of `pthread_atfork`, and
/// libc goes on with the thread's number of the original, which is harmless with one thread.
pid_t clinux_fork_sibling(void);

/// Makes the calling process, a copy, look as if `clinux_spawn` had started it: the `count` descriptors of `descriptors` are
/// 0, 1, 2..., nothing else is open, and its process group is its own. -1 with errno.
int clinux_become_child(const int *descriptors, int count);

/// Names the calling thread, and a process with one thread: at most 15 bytes.
void clinux_set_process_name(const char *name);

/// A descriptor that becomes readable when the process ends (pidfd_open(2)). -1 with errno.
int clinux_process_descriptor(pid_t process);

/// The CPU time that a process has used, in seconds; negative if there is no such process.
double clinux_cpu_seconds(pid_t process);

/// The letter that says what a process does, see proc(5); 0 if it cannot be told.
char clinux_process_state(pid_t process);

/// Whether a thread of the process runs or waits for a processor.
int clinux_is_runnable(pid_t process);

/// Sends one message with `count` descriptors, at most 64, and waits about 5 s at most until the kernel takes them. -1 with
/// errno.
int clinux_send(int socket, const void *bytes, size_t size, const int *descriptors, int count);

/// Takes one message that has arrived, with room for `*count` descriptors, at most 64; they are
/// close-on-exec. Returns its bytes, 0 at the end, -1 with errno: EAGAIN if there is none, EMSGSIZE if it
/// or its descriptors are too many, EMFILE if this process had no room for them (none stays open). `*count`
/// is how many came otherwise, also with an empty message.
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *descriptors, int *count);

/// A pipe whose ends are close-on-exec: where to read, where to write (pipe2(2)). -1 with errno.
int clinux_pipe(int ends[2]);

/// The seals of a memory file (F_GET_SEALS). -1 with errno.
int clinux_seals(int descriptor);

/// The seals that make a memory file unchangeable for good.
int clinux_all_seals(void);

/// Says what the calling thread reads from now on, 0 for nothing; returns what it read before. Gives the thread a stack of
/// its own for the handler of a crash, unless it has one: a thread that has run out of stack could not write otherwise. The
/// stack is freed when the thread ends.
int64_t clinux_note_reading(int64_t reading);

/// From now on a deadly signal that a thread of this process raises itself while it reads something, by a fault or with
/// abort(3), writes what it reads as 8 bytes at `offset` of a copy of the descriptor `file`; then the process ends as it
/// would have. A signal that somebody else sends writes nothing. Returns 0 or an errno.
int clinux_note_crashes(int file, off_t offset);

/// The version of Landlock that the kernel has (landlock_create_ruleset(2)). -1 with errno, ENOSYS or EOPNOTSUPP if it has
/// none.
int clinux_landlock_version(void);
