#pragma once
#include <stdbool.h>
#include <stdint.h>

/// What a confined process may use at most.
struct csandbox_limits {
    uint64_t memory_bytes; ///< address space (RLIMIT_AS)
    uint64_t cpu_seconds;  ///< CPU time (RLIMIT_CPU): SIGXCPU at it, SIGKILL a second later
    uint64_t file_bytes;   ///< size of a file, memory files among them (RLIMIT_FSIZE)
    bool threads;          ///< whether it may start threads; only for libraries that cannot do without
    int readable_folder;   ///< the only folder of which files may be opened, to be read; -1 for none
};

/// The layers of the lock, in the order in which they are applied.
enum csandbox_layer {
    CSANDBOX_USER = 0,
    CSANDBOX_CAPABILITIES = 1,
    CSANDBOX_LIFELINE = 2,
    CSANDBOX_PRIVILEGES = 3,
    CSANDBOX_LIMITS = 4,
    CSANDBOX_LANDLOCK = 5,
    CSANDBOX_SECCOMP = 6,
};

/// Locks the calling process, which must have a single thread, for good; `csandbox_filter` completes the lock.
///
/// Afterwards it cannot open any path but for reading below `readable_folder`. One that root started is the user nobody.
///
/// `lifeline` is the read end of a pipe whose only write end is its owner's: once that is closed, the
/// process gets SIGKILL, also in a busy loop. No thread of the owner needs to live for it.
///
/// Returns a bit (1 << layer) for each layer that could not be applied, 0 if all were; `*error` is the
/// errno of the first of them. The others are still tried if one failed. If the owner is gone already the process ends
/// here, with status 3.
int csandbox_lock(const struct csandbox_limits *limits, int lifeline, int *error);

/// Leaves the calling process, which `csandbox_lock` has locked, the system calls that it needs, for good.
///
/// Afterwards it can compute, use the descriptors it has, make memory files and end; it cannot ask for a
/// path, start a process, or speak to anybody, nor start a thread unless `threads` is set. A system call beyond that
/// kills it (SIGSYS). With `readable_folder`, any path but those of its files, and any way of writing, is refused
/// (EACCES).
///
/// Returns and sets as `csandbox_lock` does.
int csandbox_filter(const struct csandbox_limits *limits, int lifeline, int *error);
