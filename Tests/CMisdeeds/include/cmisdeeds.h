#pragma once

/// What a picture that has taken a worker over might try. Each returns if the kernel lets it.
void cmisdeed_open(void);
void cmisdeed_read_memory_of_owner(void);
void cmisdeed_socket(void);
void cmisdeed_fork(void);
void cmisdeed_exec(void);
void cmisdeed_ptrace_owner(void);
void cmisdeed_kill_owner(void);
void cmisdeed_signal_owner(void);
void cmisdeed_thread(void);
void cmisdeed_run_data(void);
void cmisdeed_disarm_lifeline(void);
void cmisdeed_null_pointer(void);
void cmisdeed_stack_overflow(void);

/// Opens a file to read it, or to write a new one; returns 0, or errno if that is refused.
int cmisdeed_read(const char *path);
int cmisdeed_write(const char *path);
/// Opens a file for reading by a way that names it below a folder; returns 0 or errno.
int cmisdeed_read_below(const char *folder, const char *name);
/// Removes and links files; returns if the kernel lets it.
void cmisdeed_unlink(const char *path);
void cmisdeed_link(const char *path, const char *other);

/// Makes the kernel of this process, and of what it runs, one without Landlock; returns 0 or -1.
int cmisdeed_lose_landlock(void);
