"""Power cuts at calls that change a file: what was not synced is gone, on ext4 and XFS."""

import os
import random
import shutil
import subprocess
import tempfile
import time

import faults
from stage import Stage, Trouble

MEGABYTES = {"ext4": 96, "xfs": 320}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Disk:
    """An image with a file system, mounted by a loop device. Mounts never stack up."""

    def __init__(self, image, folder):
        self.image, self.folder = image, folder
        os.makedirs(folder, exist_ok=True)

    @staticmethod
    def make(kind, image, folder, *options, megabytes=None):
        with open(image, "wb") as file:
            file.truncate((megabytes or MEGABYTES[kind]) << 20)
        made = run(f"mkfs.{kind}", "-q", *options, image)
        if made.returncode:
            raise Trouble(f"mkfs.{kind}: {made.stderr}")
        return Disk(image, folder)

    def mount(self, options="loop"):
        mounted = run("mount", "-o", options, self.image, self.folder)
        if mounted.returncode:
            raise Trouble(f"mount: {mounted.stderr.strip()}")
        return self

    @property
    def is_mounted(self):
        """Asks the kernel: of a file system that is shut down nothing else can be asked."""
        with open("/proc/self/mounts", encoding="utf-8") as file:
            return any(line.split(" ")[1] == self.folder for line in file)

    def unmount(self):
        for _ in range(100):
            done = run("umount", self.folder)
            if done.returncode == 0:
                break
            time.sleep(0.1)
        # A loop device that stayed would keep the old content alive.
        for _ in range(100):
            if not run("losetup", "--associated", self.image).stdout.strip():
                break
            time.sleep(0.05)
        if self.is_mounted or run("losetup", "--associated", self.image).stdout.strip():
            raise Trouble(f"{self.folder} cannot be unmounted: {done.stderr.strip()}")

    def __enter__(self):
        return self.mount()

    def __exit__(self, *_):
        if self.is_mounted:
            self.unmount()


def why_not(kind, work):
    """Why no file system of that kind can be had here; None if it can."""
    if os.geteuid() != 0:
        return "needs root"
    if not shutil.which(f"mkfs.{kind}"):
        return f"there is no mkfs.{kind} (deploy/deps.sh --tests)"
    folder = tempfile.mkdtemp(prefix="try-", dir=work)
    try:
        with Disk.make(kind, f"{folder}/image", f"{folder}/mount"):
            return None
    except Trouble as trouble:
        return str(trouble)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class PowerTrial:
    """The trial of the faults, with state and output on a disk of its own."""

    def __init__(self, kind, programs, injector, work):
        self.work = tempfile.mkdtemp(prefix=f"power-{kind}-", dir=work)
        self.logs = f"{self.work}/logs"
        os.mkdir(self.logs)
        self.trial = faults.Trial(programs, f"{self.work}/trial", injector)
        self.kind, self.injector = kind, injector
        self.base = Disk.make(kind, f"{self.work}/base.img", f"{self.work}/base")
        with self.base:
            self.trial.origin.copy(f"{self.base.folder}/library")

    def stage(self, disk):
        """The library that lies on a disk."""
        origin = self.trial.origin
        stage = Stage(origin.programs, f"{disk.folder}/library", origin.settings, origin.drop)
        stage.logs, stage.expected = self.logs, origin.expected
        stage.memory.identifiers = dict(origin.memory.identifiers)
        stage.memory.generations = dict(origin.memory.generations)
        return stage

    def disk(self, name):
        image = f"{self.work}/{name}.img"
        copied = run("cp", "--sparse=always", self.base.image, image)
        if copied.returncode:
            raise Trouble(copied.stderr)
        return Disk(image, f"{self.work}/{name}")

    def calls(self):
        disk, trace = self.disk("count"), f"{self.work}/trace"
        with disk:
            stage = self.stage(disk)
            code, log = stage.drain(self.injector.environment(disk.folder, trace))
            if code != self.trial.exit_code or stage.finished().complaints:
                raise Trouble(f"an undisturbed drain: exit {code}: {log[-2000:]}")
        os.unlink(disk.image)
        with open(trace, encoding="utf-8", errors="replace") as file:
            parts = [line.rstrip("\n").split(" ", 3) for line in file]
        return [(part[1], os.path.splitext(part[3])[1]) for part in parts]

    def cut(self, section, number, deep):
        """One cut, or several in a row, then a start that must set all right."""
        name = f"{self.kind}, cut at call {number}" + (f" and at {deep}" if deep else "")
        disk = self.disk("run")
        complaints, memory = [], None
        for at in [number, *deep]:
            with disk:
                stage = self.stage(disk)
                stage.memory = memory or stage.memory
                stage.drain(self.injector.environment(disk.folder, None, CUT_AT=at))
            with disk:
                stage = self.stage(disk)
                stage.memory = memory or stage.memory
                complaints += [f"after the cut at {at}: {text}" for text in stage.seen_by_reader()]
                memory = stage.memory
        with disk:
            stage = self.stage(disk)
            stage.memory = memory
            code, log = stage.drain()
            if code != self.trial.exit_code:
                complaints.append(f"exit {code} of the recovery: {log[-800:]}")
            result = stage.finished()
            result.broken += complaints
            section.judge(name, stage, result)
        os.unlink(disk.image)


def cuts(section, programs, injector, work, seed, is_complete=False):
    """Each file system gets half of the time."""
    for part, kind in enumerate(MEGABYTES, start=1):
        reason = why_not(kind, work)
        if reason:
            section.skip(f"power cuts on {kind}", reason)
            continue
        trial = PowerTrial(kind, programs, injector, work)
        dice, calls = random.Random(seed), trial.calls()
        done = 0
        for number in faults.sample(calls, dice):
            if not is_complete and section.is_over(part / len(MEGABYTES)):
                break
            if len(section.failures) >= 5:
                break
            deep = [dice.randrange(1, len(calls))] if done % 5 == 4 else []
            section.guarded(f"{kind}, cut at call {number} and {deep}",
                            lambda: trial.cut(section, number, deep))
            done += 1
        section.figure(f"power cuts on {kind}", f"{done} of {len(calls)} calls")
        shutil.rmtree(trial.work, ignore_errors=True)
