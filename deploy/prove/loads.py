"""Floods, starts over a large library, and machines that run out of something."""

import concurrent.futures
import contextlib
import ctypes
import json
import os
import random
import shutil
import socket
import struct
import tempfile
import threading
import time

import art
import faults
import power
from hostile import await_published
from stage import Stage, Trouble, Watch, resident

QUEUE = "/proc/sys/fs/inotify/max_queued_events"


def is_idle():
    """Whether the machine has nothing else to do."""
    def times():
        with open("/proc/stat", encoding="ascii") as file:
            return [int(value) for value in file.readline().split()[1:]]
    before = times()
    time.sleep(2)
    spent = [after - old for after, old in zip(times(), before)]
    return (spent[3] + spent[4]) / sum(spent) > 0.8


def timed(section, idle, what, seconds, limit):
    """A figure that holds on an idle machine; on a busy one it is only told."""
    value = f"{seconds:.1f} s"
    if idle or seconds <= limit:
        section.figure(what, value, f"{limit} s", seconds <= limit)
    else:
        section.figure(what, value)
        section.skip(f"judging that figure: {what}", "the machine had other work, or the run is the short one")


class Readiness:
    """The socket to which a daemon says that it is ready, as under systemd."""

    def __init__(self, place):
        self.path = os.path.join(place, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.environment = {"NOTIFY_SOCKET": self.path}
        self.said = threading.Event()
        # Read all the while: a sender waits where nobody does.
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            if b"READY=1" in self.socket.recv(65536):
                self.said.set()

    def wait(self, daemon, limit):
        end = time.monotonic() + limit
        while time.monotonic() < end and daemon.is_alive:
            if self.said.wait(0.1):
                self.said.clear()
                return
        raise Trouble(f"not ready within {limit} s: {daemon.log()[-1500:]}")


@contextlib.contextmanager
def event_queue(section, length):
    """The kernel's limit while a daemon asks for its queue; it is put back at once."""
    with open(QUEUE, encoding="ascii") as file:
        before = file.read()
    try:
        try:
            with open(QUEUE, "w", encoding="ascii") as file:
                file.write(str(length))
        except OSError as error:
            section.skip(f"an event queue of {length}", f"{error}")
        yield
    finally:
        with contextlib.suppress(OSError): # told above
            with open(QUEUE, "w", encoding="ascii") as file:
                file.write(before)


# --- A flood -------------------------------------------------------------------------------------


def newest_job(stage):
    """The number of the last job; every file that is known for the first time adds one."""
    jobs = json.loads(stage.stickerctl("jobs", "--json", "--limit", "1"))["jobs"]
    return jobs[0]["id"] if jobs else 0


def flood(section, programs, readers, work, seed, count=100_000):
    """So many files at once, a single one meanwhile, and then a start over all of them."""
    place = tempfile.mkdtemp(prefix="flood-", dir=work)
    # Few contents: it is the number of files that is tried here.
    stage = Stage(programs, place, {"publish": {"oldRevisionHours": 1}})
    pictures, folders = [art.png(number) for number in range(64)], 50
    for number in range(folders):
        os.makedirs(os.path.join(stage.drop, f"flood{number % 10}/{number}"), exist_ok=True)
    # The short run is part of the tests, where nothing is judged by the clock.
    idle, ready = is_idle() and count >= 100_000, Readiness(place)
    with event_queue(section, 1024):
        daemon = stage.start(ready.environment)
        ready.wait(daemon, 60)
    readers.watch(stage.out)
    with daemon, Watch(daemon) as watch:
        begin = time.monotonic()
        pool = concurrent.futures.ThreadPoolExecutor(4)
        singles = [pool.submit(single, stage, daemon, 0)]
        for number in range(count):
            folder = number % folders
            stage.put(f"flood{folder % 10}/{folder}/{number}.png", pictures[number % 64],
                      in_place=True)
            if number == count // 2:
                singles.append(pool.submit(single, stage, daemon, 1))
        written = time.monotonic() - begin
        while newest_job(stage) < count and time.monotonic() - begin < 600 and daemon.is_alive:
            time.sleep(0.5)
        recorded = time.monotonic() - begin
        at_recorded = resident(daemon.pid)
        singles += [pool.submit(single, stage, daemon, number) for number in (2, 3)]
        slowest = max(each.result() for each in singles)
        section.figure(f"{count:,} files written", f"{written:.1f} s")
        timed(section, idle, f"{count:,} files recorded, from the first write", recorded, 60)
        timed(section, idle, "a single fresh file published meanwhile, slowest of 4", slowest, 3)
        await_quiet(stage, daemon, max(120, section.budget * 2))
        result = stage.settle(max(120, section.budget * 0.2), daemon)
        readers_found = readers.leave(stage.out)
        section.figure("memory of the daemon: files recorded, most, at the end",
                       f"{at_recorded / 1e6:.0f}, {watch.peak / 1e6:.0f}, "
                       f"{resident(daemon.pid) / 1e6:.0f} MB", "300 MB", watch.peak <= 300e6)
        daemon.stop()
    result.broken += readers_found
    section.judge(f"flood of {count} files, seed {seed}", stage, result)
    start_over(section, stage, ready, idle, count)
    shutil.rmtree(place)


def single(stage, daemon, number):
    """Seconds until one file in a folder of its own is published."""
    begin = time.monotonic()
    stage.put(f"single{number}/{number}.png", art.png(1_000_000 + number))
    return await_published(stage, f"single{number}", 1, 120, daemon, begin) or 120


def await_quiet(stage, daemon, limit):
    """Until nothing is left to be done. The list of all jobs is long, so the status is asked."""
    end = time.monotonic() + limit
    while time.monotonic() < end and daemon.is_alive:
        status = stage.status()["status"]
        if not status["waiting"] + status["working"]:
            return
        time.sleep(2)


def start_over(section, stage, ready, idle, count):
    before = newest_job(stage)
    with stage.start(ready.environment) as daemon:
        begin = time.monotonic()
        ready.wait(daemon, 120)
        took, seconds = time.monotonic() - begin, daemon.processor_seconds()
        time.sleep(3)
        section.figure(f"start over {count:,} published files, CPU until ready",
                       f"{seconds:.1f} s", "5 s", seconds <= 5)
        section.figure("start by the clock", f"{took:.1f} s")
        section.figure("CPU 3 s later", f"{daemon.processor_seconds():.1f} s")
        section.figure("memory after the start", f"{resident(daemon.pid) / 1e6:.0f} MB")
        daemon.stop()
    jobs = newest_job(stage) - before
    section.figure("jobs after that start", jobs, 0, jobs == 0)


# --- Machines that run out -----------------------------------------------------------------------


def watch_limit(section, programs, work, limit=3):
    """A user may have so few watches; what lies beyond is polled."""
    place = tempfile.mkdtemp(prefix="watches-", dir=work)
    stage = Stage(programs, place, {"watch": {"pollSeconds": 0.5, "settlePollingSeconds": 0.3}})
    prefix = ["unshare", "-Ur", "sh", "-c",
              f'echo {limit} >/proc/sys/user/max_inotify_watches && exec "$@"', "sh"]
    with stage.start(prefix=prefix) as daemon:
        for number in range(10):
            stage.put(f"folder{number}/{number}.png", art.png(number))
        try:
            result = stage.settle(30, daemon)
        except Trouble as trouble:
            if "unshare" not in str(trouble):
                raise
            section.skip("a limit of watches", str(trouble))
            return
        says_so = "poll" in stage.stickerctl("status").decode()
        daemon.stop()
    section.judge(f"{limit} watches for 11 folders", stage, result)
    section.figure(f"{limit} watches for 11 folders", "all published")
    answer = "yes" if says_so else "no"
    section.figure("status says that folders are polled", answer, "yes", says_so)
    shutil.rmtree(place)


@contextlib.contextmanager
def space_taken(folder, leave):
    """A file takes all space but `leave` bytes."""
    ballast, size = os.path.join(folder, "ballast"), 0
    with open(ballast, "wb") as file:
        for part in (1 << 20, 1 << 16, 4096):
            with contextlib.suppress(OSError): # full is what it is to be
                while True:
                    os.posix_fallocate(file.fileno(), size, part)
                    size += part
        file.truncate(max(0, size - leave))
    try:
        yield
    finally:
        os.unlink(ballast)


@contextlib.contextmanager
def inodes_taken(folder, leave):
    """Empty files take all inodes but a few."""
    own = os.path.join(folder, "inodes")
    os.mkdir(own)
    for number in range(max(0, os.statvfs(folder).f_favail - leave)):
        os.close(os.open(os.path.join(own, str(number)), os.O_CREAT | os.O_WRONLY))
    try:
        yield
    finally:
        shutil.rmtree(own)


@contextlib.contextmanager
def read_only(folder, _):
    """The file system refuses writes for a while."""
    if power.run("mount", "-o", "remount,ro", folder).returncode:
        raise Trouble(f"{folder} cannot be mounted read-only")
    try:
        yield
    finally:
        power.run("mount", "-o", "remount,rw", folder)


@contextlib.contextmanager
def over_quota(folder, leave):
    """The user of the daemon has no blocks left."""
    device = power.run("findmnt", "--noheadings", "--output", "SOURCE", folder).stdout.strip()
    used = sum(os.lstat(os.path.join(where, name)).st_blocks // 2
               for where, _, names in os.walk(folder) for name in names)
    set_quota(device, NOBODY, used + leave // 1024 + 64)
    try:
        yield
    finally:
        set_quota(device, NOBODY, 0)


NOBODY = 65534


def set_quota(device, user, kilobytes):
    """Q_SETQUOTA of the blocks of a user."""
    limits = struct.pack("=8QI4x", kilobytes, 0, 0, 0, 0, 0, 0, 0, 1)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.quotactl(0x800008 << 8, device.encode(), user, limits):
        raise Trouble(f"quotactl {device}: {os.strerror(ctypes.get_errno())}")


def has_quota(work):
    folder = tempfile.mkdtemp(prefix="try-", dir=work)
    try:
        disk = power.Disk.make("ext4", f"{folder}/image", f"{folder}/mount", "-O", "quota")
        disk.mount("loop,usrquota").unmount()
        return True
    except Trouble:
        return False
    finally:
        shutil.rmtree(folder)


def exhausted(section, programs, work, name, taken, leave, options=(), mount="loop", prefix=()):
    """Something is gone when files come, and is back later: the daemon goes on by itself."""
    reason = power.why_not("ext4", work)
    if reason:
        section.skip(name, reason)
        return
    if taken is over_quota and not has_quota(work):
        section.skip(name, "this kernel mounts no ext4 with quotas")
        return
    place = tempfile.mkdtemp(prefix="out-", dir=work)
    disk = power.Disk.make("ext4", f"{place}/image", f"{place}/out", *options, megabytes=48)
    os.chmod(place, 0o755)
    disk.mount(mount)
    try:
        shutil.rmtree(f"{place}/out/lost+found")
        stage = Stage(programs, place)
        if prefix:
            for folder in (stage.out, stage.state, stage.drop):
                os.chown(folder, NOBODY, NOBODY)
        stage.put("cats/before.png", art.png(1))
        with stage.start(prefix=prefix) as daemon:
            result = stage.settle(30, daemon)
            if result.complaints:
                raise Trouble(f"before anything was gone: {result.complaints}")
            with taken(stage.out, leave):
                for number in range(12):
                    stage.put(f"cats/{number}.png", art.png(100 + number), "accept")
                time.sleep(4)
                waiting = [job for job in stage.jobs() if job["state"] != "completed"]
                broken = stage.seen_by_reader()
                text = stage.stickerctl("status").decode()
            result = stage.settle(90, daemon)
            code = daemon.stop()
        result.broken += broken
        if code:
            result.broken.append(f"exit {code} of a daemon that was asked to stop")
        if not waiting:
            result.broken.append("nothing had to wait, so nothing was tried")
        section.judge(name, stage, result)
        section.figure(name, f"{len(waiting)} files waited, then all published by the same process")
        if "paused" not in text and "space" not in text:
            section.figure(f"{name}: status says so", "no", "yes", False)
    finally:
        disk.unmount()
        shutil.rmtree(place, ignore_errors=True)


def shortages(section, programs, work):
    """One after the other."""
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    cases = [
        ("disk full", space_taken, 30_000, (), "loop", ()),
        ("inodes full", inodes_taken, 1, ("-N", "512"), "loop", ()),
        ("output read-only", read_only, 0, (), "loop", ()),
        ("quota used up", over_quota, 0, ("-O", "quota"), "loop,usrquota", as_nobody),
    ]
    for name, taken, leave, options, mount, prefix in cases:
        section.guarded(name, lambda: exhausted(
            section, programs, work, name, taken, leave, options, mount, prefix))
    section.guarded("watch limit", lambda: watch_limit(section, programs, work))


# --- An hour -------------------------------------------------------------------------------------


def endurance(section, programs, injector, readers, work, seed):
    """Every so many calls fail, for as long as there is time: memory and descriptors stay."""

    dice = random.Random(seed)
    place = tempfile.mkdtemp(prefix="hour-", dir=work)
    stage, begin = Stage(programs, place), time.monotonic()
    artist = faults.Artist(stage, dice)
    readers.watch(stage.out)
    samples, restarts = [], 0
    environment = injector.environment(stage.out, None, EVERY=211)
    daemon = stage.start(environment)
    while not section.is_over(0.9):
        artist.drop(dice.randrange(1, 10))
        time.sleep(dice.random() * 4)
        if not daemon.is_alive:
            restarts += 1
            # A start that meets a failure ends with 1 and says so; later only a broken disk ends it.
            if daemon.process.returncode != 75 and "cannot run" not in daemon.log():
                section.fail("endurance", [
                    f"exit {daemon.process.returncode}: {daemon.log()[-800:]}"])
            daemon = stage.start(environment)
        samples.append((time.monotonic() - begin, resident(daemon.pid),
                        len(os.listdir(f"/proc/{daemon.pid}/fd")) if daemon.is_alive else 0))
    daemon.stop()
    with stage.start() as daemon:
        result = stage.settle(120, daemon)
        daemon.stop()
    result.broken += readers.leave(stage.out)
    section.judge(f"endurance, seed {seed}", stage, result)
    third = max(1, len(samples) // 3)
    early, late = samples[third:2 * third] or samples, samples[-third:]
    middle = lambda part, at: sorted(sample[at] for sample in part)[len(part) // 2]
    growth = (middle(late, 1) - middle(early, 1)) / 1e6
    section.figure("restarts", restarts)
    section.figure("growth of memory, last third against the second", f"{growth:.1f} MB", "20 MB",
                   growth <= 20)
    section.figure("descriptors, second and last third",
                   f"{middle(early, 2)}, {middle(late, 2)}", "4 more",
                   middle(late, 2) <= middle(early, 2) + 4)
    shutil.rmtree(place)
