#pragma once
#include <stdint.h>

/* Opens a folder to reach what is below it: needs the right to enter, not to list. */
extern const int CLINUX_O_PATH;

/* `f_type` of statfs(2) for file systems whose files others may change unseen by this kernel.
 * From linux/magic.h and the table in statfs(2); those without a name there say where from. */
static const uint32_t CLINUX_MAGIC_NFS = 0x6969;
static const uint32_t CLINUX_MAGIC_SMB = 0x517B;
static const uint32_t CLINUX_MAGIC_CIFS = 0xFF534D42;
static const uint32_t CLINUX_MAGIC_SMB2 = 0xFE534D42;
static const uint32_t CLINUX_MAGIC_FUSE = 0x65735546; /* also virtiofs */
static const uint32_t CLINUX_MAGIC_9P = 0x01021997;
static const uint32_t CLINUX_MAGIC_CEPH = 0x00C36400;
static const uint32_t CLINUX_MAGIC_AFS = 0x5346414F;    /* OpenAFS */
static const uint32_t CLINUX_MAGIC_KAFS = 0x6B414653;   /* the kernel's own AFS client */
static const uint32_t CLINUX_MAGIC_CODA = 0x73757245;
static const uint32_t CLINUX_MAGIC_NCP = 0x564C;
static const uint32_t CLINUX_MAGIC_OCFS2 = 0x7461636F;
static const uint32_t CLINUX_MAGIC_GFS2 = 0x01161970;   /* linux/gfs2_ondisk.h */
static const uint32_t CLINUX_MAGIC_LUSTRE = 0x0BD00BD0; /* lustre_user.h */
static const uint32_t CLINUX_MAGIC_GPFS = 0x47504653;   /* coreutils, src/stat.c */
static const uint32_t CLINUX_MAGIC_VBOXSF = 0x786F4256; /* fs/vboxsf */
static const uint32_t CLINUX_MAGIC_VMHGFS = 0xBACBACBC; /* open-vm-tools */
static const uint32_t CLINUX_MAGIC_PRLFS = 0x7C7C6673;  /* Parallels shared folders */
static const uint32_t CLINUX_MAGIC_HOSTFS = 0x00C0FFEE; /* user-mode Linux */

/* Judged on its own: see FileSystemKind. */
static const uint32_t CLINUX_MAGIC_OVERLAY = 0x794C7630;

/* The type of the file system an open descriptor lies on: f_type of fstatfs(2).
 * Returns 0, or -1 with errno set. */
int clinux_filesystem_magic(int descriptor, uint32_t *magic);
