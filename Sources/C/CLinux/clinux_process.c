#define _GNU_SOURCE
#include "clinux_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 64 };

/// Dispatch threads block most signals, and a child inherits that.
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    return error == 0 ? posix_spawnattr_setflags(attributes, flags) : error;
}

static int spawn(
    const char *path, char *const arguments[], const int *descriptors, int count, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *const environment[] = {NULL};
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        for (int i = 0; i < count && error == 0; i++)
            error = posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
        if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, count);
        if (error == 0) error = set_attributes(&attributes);
        if (error == 0)
            error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int clinux_spawn(
    const char *path, char *const arguments[], const int *descriptors, int count, pid_t *process) {
    if (count < 0 || count > DESCRIPTORS_MAX) return EINVAL;
    // Above all targets, or one dup2 would overwrite the source of a later one.
    int copies[DESCRIPTORS_MAX], made = 0, error = 0;
    while (made < count && error == 0) {
        copies[made] = fcntl(descriptors[made], F_DUPFD_CLOEXEC, count);
        if (copies[made] < 0) error = errno;
        else made++;
    }
    if (error == 0) error = spawn(path, arguments, copies, count, process);
    while (made > 0) close(copies[--made]);
    return error;
}

pid_t clinux_fork_sibling(void) {
    struct stat tasks;
    // The folder has a link for each thread, and two of its own.
    if (stat("/proc/self/task", &tasks) != 0) return -1;
    if (tasks.st_nlink != 3) {
        errno = EBUSY;
        return -1;
    }
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
}

int clinux_become_child(const int *descriptors, int count) {
    if (count < 0 || count > DESCRIPTORS_MAX) {
        errno = EINVAL;
        return -1;
    }
    int copies[DESCRIPTORS_MAX];
    for (int i = 0; i < count; i++) {
        copies[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, count);
        if (copies[i] < 0) return -1;
    }
    for (int i = 0; i < count; i++)
        if (dup2(copies[i], i) < 0) return -1;
    closefrom(count);
    return setpgid(0, 0);
}

void clinux_set_process_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int clinux_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// By one of the calls that a confined worker may make.
static void sleep_milliseconds(long milliseconds) {
    int word = 0;
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
}

/// The kernel sends no descriptor while the user's processes have sent more of them, which nobody has received yet,
/// than the sender may open: unix(7), ETOOMANYREFS. Whoever is about to receive them takes milliseconds.
static int send_once_there_is_room(int socket, const struct msghdr *message) {
    enum { PAUSE_MS = 2, PAUSES_MAX = 2500 };
    for (int pauses = 0;; pauses++) {
        if (sendmsg(socket, message, MSG_NOSIGNAL) >= 0) return 0;
        if (errno != ETOOMANYREFS || pauses == PAUSES_MAX) return -1;
        sleep_milliseconds(PAUSE_MS);
    }
}

int clinux_send(int socket, const void *bytes, size_t size, const int *descriptors, int count) {
    if (count < 0 || count > DESCRIPTORS_MAX) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {(void *)bytes, size};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, (size_t)count * sizeof(int));
    }
    return send_once_there_is_room(socket, &message);
}

static int take_descriptors(struct msghdr *message, int *descriptors, int room) {
    int taken = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < count; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + (size_t)i * sizeof(int), sizeof(int));
            if (taken < room) descriptors[taken] = descriptor;
            else close(descriptor);
            taken++;
        }
    }
    return taken;
}

ssize_t clinux_receive(int socket, void *bytes, size_t size, int *descriptors, int *count) {
    int room = *count > DESCRIPTORS_MAX ? DESCRIPTORS_MAX : *count;
    struct iovec part = {bytes, size};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *count = 0;
    ssize_t length;
    do {
        length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (length < 0 && errno == EINTR);
    if (length < 0) return length;
    int taken = take_descriptors(&message, descriptors, room);
    int is_too_large = taken > room || (message.msg_flags & MSG_TRUNC);
    if (is_too_large || (message.msg_flags & MSG_CTRUNC)) {
        for (int i = 0; i < taken && i < room; i++) close(descriptors[i]);
        errno = is_too_large ? EMSGSIZE : EMFILE; // the kernel found no room for what was sent
        return -1;
    }
    *count = taken;
    return length;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_seals(int descriptor) { return fcntl(descriptor, F_GET_SEALS); }

int clinux_all_seals(void) {
    return F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
}

double clinux_cpu_seconds(pid_t process) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return -1;
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static char state_at(const char *path) {
    char text[256];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    // The name stands in parentheses, and may hold some itself.
    const char *name = strrchr(text, ')');
    return name != NULL && name[1] == ' ' ? name[2] : 0;
}

char clinux_process_state(pid_t process) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    return state_at(path);
}

int clinux_is_runnable(pid_t process) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = opendir(path);
    if (folder == NULL) return 0;
    int is_runnable = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL && !is_runnable; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)process, entry->d_name);
        is_runnable = state_at(path) == 'R';
    }
    closedir(folder);
    return is_runnable;
}

int clinux_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
}
