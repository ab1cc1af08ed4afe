"""Kills and failures at calls that change a file: drains, watching daemons, recovery, workers."""

import collections
import concurrent.futures
import errno
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import art
from stage import Stage, Trouble, is_alive

SOURCE = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../Tests/EndToEndTests/Fixtures/faults.c")
ERRORS = [errno.EIO, errno.ENOSPC, errno.EMFILE, errno.EACCES]
SERIES = [errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS]


class Injector:
    """The preloaded library, compiled once."""

    def __init__(self, work):
        self.library = os.path.join(work, "libfaults.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", self.library, SOURCE],
                       check=True)

    def environment(self, root, trace=None, reading=False, **faults):
        """KILL_AT=3 or FAIL_AT="3,5" and so on, see the source."""
        variables = {"LD_PRELOAD": self.library, "FAULT_ROOT": os.path.realpath(root)}
        if trace:
            variables["FAULT_TRACE"] = trace
        if reading:
            variables["FAULT_READING"] = "1"
        variables.update({f"FAULT_{name}": str(value) for name, value in faults.items()})
        return variables


class Trial:
    """A library in the middle of its life, and the changes that its next drain meets.

    Every run takes up the same changes from a copy of the same library, so all must end alike.
    """

    exit_code = 3 # one file stands refused

    def __init__(self, programs, place, injector, is_first_start=False):
        self.place, self.injector, self.is_first_start = place, injector, is_first_start
        self.origin = Stage(programs, os.path.join(place, "origin"))
        for number, name in enumerate(["cats/tom", "cats/kit", "cats/old", "dogs/rex"]):
            self.origin.put(f"{name}.png", art.png(number))
        self.origin.put("dogs/mended.png", b"no picture", "reject")
        if not is_first_start:
            code, log = self.origin.drain()
            result = self.origin.finished()
            if code != self.exit_code or result.complaints:
                raise Trouble(f"the first drain: {code} {result.complaints} {log}")
        self.change()

    def change(self):
        stage = self.origin
        stage.put("cats/tom.png", art.png(10))
        stage.remove("cats/old.png")
        stage.put("dogs/mended.png", art.png(11))
        stage.put("cats/mia.png", art.png(12))
        stage.put("dogs/twin of mia.png", art.png(12))
        stage.put("dogs/tom.gif", art.gif(13))
        stage.put("birds/owl.jpg", art.jpeg(14))
        stage.put("birds/text.png", b"no picture either", "reject")
        if self.is_first_start:
            for file in stage.expected.values():
                file.times = 1

    def calls(self, reading=False):
        """The calls of a run that nobody disturbs: what is done to what kind of file."""
        stage = self.origin.copy(os.path.join(self.place, f"count-{reading}"))
        trace = os.path.join(stage.place, "trace")
        code, log = stage.drain(self.injector.environment(stage.place, trace, reading))
        result = stage.finished()
        if code != self.exit_code or result.complaints:
            raise Trouble(f"an undisturbed drain: exit {code}, {result.complaints}: {log[-2000:]}")
        with open(trace, encoding="utf-8", errors="replace") as file:
            parts = [line.rstrip("\n").split(" ", 3) for line in file]
        shutil.rmtree(stage.place)
        return [(part[1], os.path.splitext(part[3])[1]) for part in parts]


def sample(calls, dice):
    """All numbers of calls in an order that has those first which differ from the one before.

    Most are writes to SQLite's journal, one after the other, between which little can differ.
    """
    turns = [at for at, call in enumerate(calls) if at == 0 or call != calls[at - 1]]
    others = sorted(set(range(len(calls))) - set(turns))
    dice.shuffle(turns)
    dice.shuffle(others)
    mixed = []
    while turns or others:
        mixed += [turns.pop() for _ in range(min(4, len(turns)))]
        mixed += [others.pop() for _ in range(min(1, len(others)))]
    return [at + 1 for at in mixed]


def in_turn(lists):
    """One of each list, again and again, until all are empty."""
    lists = [list(each) for each in lists]
    while any(lists):
        for each in lists:
            if each:
                yield each.pop(0)


def mixed(plenty, few):
    """`few` spread over the beginning of `plenty`."""
    plenty, few, result = list(plenty), list(few), []
    while plenty:
        result += plenty[:10] + few[:1]
        plenty, few = plenty[10:], few[1:]
    return result + few


# --- Drains --------------------------------------------------------------------------------------


def plans(calls, reading_calls, dice, is_complete):
    """(kind, the faults of one run after the other, reading) for every run."""
    points = lambda: sample(calls, dice)
    anything = lambda: dice.randrange(1, len(calls) + 1)
    single = [[("kill", [{"KILL_AT": n}], False) for n in points()]]
    for error in ERRORS:
        # A file that may not be read is refused, and rightly so: reads do not fail with EACCES.
        reading = error != errno.EACCES
        numbers = sample(reading_calls, dice) if reading else points()
        single.append([(f"one {errno.errorcode[error]}", [{"FAIL_AT": f"{n},{error}"}], reading)
                       for n in numbers])
    single.append([("torn write", [{"TORN_AT": f"{n},{errno.EIO}"}], False) for n in points()])
    single.append([("short writes", [{"SHORT_AT": f"{n},20"}], False) for n in points()])
    several = [
        [("twelve " + errno.errorcode[error], [{"FAIL_AT": f"{n},{error},12"}], False)
         for n in points()[:40]] for error in SERIES]
    several.append([("killed three deep", [{"KILL_AT": anything()} for _ in range(3)], False)
                    for _ in range(100)])
    several.append([
        ("kill, failure, kill", [{"KILL_AT": anything()}, {"FAIL_AT": f"{anything()},{error}"},
                                 {"KILL_AT": anything()}], False)
        for _ in range(25) for error in ERRORS])
    if is_complete:
        return [plan for each in single + several for plan in each]
    return in_turn(single + several)


def disturb(section, trial, readers, kind, faults, reading):
    """Drains once with each of the faults, and then without: all must be as if nothing had been."""
    run = f"{kind}: {faults}"
    place = tempfile.mkdtemp(prefix="run-", dir=trial.place)
    stage = trial.origin.copy(place)
    readers.watch(stage.out)
    complaints = []
    try:
        for fault in faults:
            code, log = stage.drain(trial.injector.environment(place, None, reading, **fault))
            section.deaths += code == -signal.SIGKILL
            if "KILL_AT" in fault and code not in (-signal.SIGKILL, trial.exit_code):
                complaints.append(f"exit {code} of a run that was to be killed: {log[-800:]}")
            if "KILL_AT" not in fault and code not in (0, 1, 3, 75, 78):
                complaints.append(f"exit {code}: {log[-800:]}")
            complaints += [f"after {fault}: {text}" for text in stage.seen_by_reader()]
        code, log = stage.drain()
        if code != trial.exit_code:
            complaints.append(f"exit {code} of the recovery: {log[-800:]}")
        result = stage.finished()
        result.broken += complaints
    finally:
        found = readers.leave(stage.out)
    result.broken += found
    section.judge(run, stage, result)
    shutil.rmtree(place)


def drains(section, programs, injector, readers, work, seed, is_complete=False):
    """Every kind of fault at calls of a drain."""
    dice = random.Random(seed)
    trial = Trial(programs, tempfile.mkdtemp(prefix="trial-", dir=work), injector)
    first = Trial(programs, tempfile.mkdtemp(prefix="first-", dir=work), injector, True)
    calls, reading_calls, first_calls = trial.calls(), trial.calls(True), first.calls()
    wanted = [(trial, *plan) for plan in plans(calls, reading_calls, dice, is_complete)]
    deaths = [(first, "killed in the very first start", [{"KILL_AT": n}], False)
              for n in sample(first_calls, dice)]
    wanted = mixed(wanted, deaths)
    done = collections.Counter()

    def one(plan):
        if section.is_over() or len(section.failures) >= 10:
            return
        whose, kind, faults, reading = plan
        section.guarded(f"{kind}: {faults}", lambda: disturb(
            section, whose, readers, kind, faults, reading))
        done[kind] += 1

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, wanted))
    section.figure("calls that change a file, in a drain", len(calls))
    for kind, count in sorted(done.items()):
        section.figure(f"runs: {kind}", count)
    section.figure("deaths", section.deaths)
    for each in (trial, first):
        shutil.rmtree(each.place)


# --- Watching daemons ----------------------------------------------------------------------------


class Artist:
    """Drops this and that, in every way that people do."""

    def __init__(self, stage, dice):
        self.stage, self.dice, self.count = stage, dice, dice.randrange(1 << 20)

    def drop(self, count):
        for _ in range(count):
            self.count += 1
            name, known = f"{self.count}", list(self.stage.expected)
            chance = self.dice.random()
            if chance < 0.1 and known:
                old = self.dice.choice(known)
                self.stage.put(old, self.picture_like(old))
            elif chance < 0.15 and len(known) > 4:
                self.stage.remove(self.dice.choice(known))
            elif chance < 0.2:
                self.stage.put(f"bad/{name}.png", art.png(self.count)[:-30], "reject")
            else:
                data, extension = art.picture(self.count)
                folder = self.dice.choice(["cats", "dogs", f"new {self.count % 5}", "cats/deep"])
                self.stage.put(f"{folder}/{name}.{extension}", data,
                               in_place=self.dice.random() < 0.5)

    def picture_like(self, path):
        """Another picture; the stage may not expect one where a bad file stood."""
        return art.png(self.count)


def watching(section, programs, injector, readers, work, seed, length=None):
    """Daemons that watch, and die or meet errors while files come, again and again."""
    dice = random.Random(seed)
    trial = 0
    kills = errors = 0
    while not section.is_over() and len(section.failures) < 5:
        trial += 1
        run = f"watching, seed {seed}, life {trial}"
        place = tempfile.mkdtemp(prefix="watch-", dir=work)
        counts = [0, 0]
        section.guarded(run, lambda: one_life(
            section, run, Stage(programs, place), injector, readers, dice, counts), place)
        kills, errors = kills + counts[0], errors + counts[1]
        shutil.rmtree(place, ignore_errors=True)
    section.figure("libraries", trial)
    section.figure("deaths of a watching daemon", kills)
    section.figure("runs of a watching daemon with failing calls", errors)


def one_life(section, run, stage, injector, readers, dice, counts):
    artist = Artist(stage, dice)
    readers.watch(stage.out)
    found = []
    try:
        for step in range(4):
            number = dice.randrange(1, 250)
            if dice.random() < 0.6:
                fault, counts[0] = {"KILL_AT": number}, counts[0] + 1
            else:
                error = dice.choice(ERRORS)
                fault = {"FAIL_AT": f"{number},{error},{dice.choice([1, 1, 5, 20])}"}
                counts[1] += 1
            # Not the drop: a file that cannot be read is refused, and rightly so.
            with stage.start(injector.environment(stage.place, None, **fault)) as daemon:
                artist.drop(dice.randrange(2, 8))
                end = time.monotonic() + 3
                while daemon.is_alive and time.monotonic() < end:
                    time.sleep(0.1)
                if daemon.is_alive:
                    daemon.stop()
                elif daemon.process.returncode not in (-signal.SIGKILL, 1, 75):
                    found.append(
                        f"{fault}: exit {daemon.process.returncode}: {daemon.log()[-800:]}")
            found += [f"after {fault}: {text}" for text in stage.seen_by_reader()]
            artist.drop(2)
        with stage.start() as daemon:
            artist.drop(2)
            stage.settle(60, daemon)
            code = daemon.stop()
        result = stage.finished()
        if code:
            result.broken.append(f"exit {code} of a daemon that was asked to stop")
        result.broken += found
    finally:
        complaints = readers.leave(stage.out)
    result.broken += complaints
    section.judge(run, stage, result)


# --- Workers -------------------------------------------------------------------------------------


def workers(section, programs, readers, work, seed):
    """Workers are killed, each file's at most once; daemons are killed, and leave no worker."""
    if not programs.has_worker:
        section.skip("killing workers", "there is no stickerd-worker beside stickerd")
        return
    dice = random.Random(seed)
    place = tempfile.mkdtemp(prefix="workers-", dir=work)
    stage = Stage(programs, place)
    readers.watch(stage.out)
    kills, left = 0, 0
    for number in range(60):
        stage.put(f"cats/{number}.png", art.noise_png(number))
    with stage.start() as daemon:
        while not section.is_over(0.7):
            victim = await_worker(daemon, dice)
            if victim is None:
                break
            kills += killed(victim)
            rest(stage)
        result = stage.settle(max(30, section.budget * 0.3), daemon)
        daemon.stop()
    for number in range(10):
        # Each file is at work at one death alone; after three it would be refused, rightly so.
        for twin in (0, 1):
            stage.put(f"dogs/{number} {twin}.png", art.noise_png(1000 + 2 * number + twin))
        with stage.start() as daemon:
            victim = await_worker(daemon, dice)
            orphans = daemon.workers()
            daemon.kill()
            time.sleep(1)
            left += sum(is_alive(pid, "stickerd-worke") for pid in orphans)
        stage.drain()
        if section.is_over():
            break
    result = stage.finished()
    result.broken += readers.leave(stage.out)
    section.judge(f"workers, seed {seed}", stage, result)
    section.figure("workers killed", kills, "at least 1", kills > 0)
    section.figure("workers that outlived their daemon", left, 0, left == 0)
    shutil.rmtree(place)


def await_worker(daemon, dice):
    """A worker at some moment of its life."""
    end = time.monotonic() + 10
    while time.monotonic() < end and daemon.is_alive:
        found = daemon.workers()
        if found:
            time.sleep(dice.random() * 0.02)
            return dice.choice(found)
        time.sleep(0.001)
    return None


def killed(pid):
    """Whether it was still there."""
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def rest(stage):
    """Until the job that lost its worker is done, so that no file loses two."""
    begin, was_seen = time.monotonic(), False
    while time.monotonic() < begin + 30:
        hurt = [job for job in stage.jobs() if is_hurt(job)]
        was_seen = was_seen or bool(hurt)
        if not hurt and (was_seen or time.monotonic() > begin + 1):
            return
        time.sleep(0.02)


def is_hurt(job):
    """Whether it was begun before and is not done."""
    begun = {"available": 1, "scheduled": 1, "retryable": 1, "executing": 2}
    return job["attempt"] >= begun.get(job["state"], 1 << 30)
