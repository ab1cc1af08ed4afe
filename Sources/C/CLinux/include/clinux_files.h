#pragma once

/// Opens `path` below the folder `root` (openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and
/// RESOLVE_NO_MAGICLINKS). Returns a descriptor, or -1 with errno.
int clinux_open_beneath(int root, const char *path, int flags);

/// Anonymous memory with a descriptor that can be sealed (memfd_create(2)). -1 with errno.
int clinux_memory_file(const char *name);

/// Forbids every later change of a memory file (F_ADD_SEALS). -1 with errno.
int clinux_seal(int descriptor);

/// Whether somebody has the file open for writing, by asking for a read lease and giving it back
/// (F_SETLEASE). 1: yes; 0: no; -1: the kernel would not say. No signal of it can end the process:
/// a lease that is broken in between tells so by SIGURG, which is ignored by default.
int clinux_is_open_for_writing(int descriptor);

/// Starts writing the file's pages to the disk and does not wait (sync_file_range(2)). A hint.
void clinux_start_writeback(int descriptor);

/// Copies at most 1 GiB between two files, from where each is on (copy_file_range(2)), which may share blocks: the number of
/// bytes, 0 at the end; -1 with errno on failure.
long clinux_copy_range(int from, int to);

/// Waits until everything on the descriptor's file system is on the disk (syncfs(2)); -1 with errno on failure.
int clinux_sync_file_system(int descriptor);

/// Lets two paths change places in one step (renameat2(2), RENAME_EXCHANGE); -1 with errno on failure.
int clinux_exchange(const char *one, const char *other);

/// Renames something in a folder unless the other name is taken (renameat2(2), RENAME_NOREPLACE); -1 with errno on failure.
int clinux_rename_to_free_name(int folder, const char *one, const char *other);

/// O_PATH, which the Glibc module does not show.
int clinux_open_path_flag(void);
