"""A library to try things on: drop, out, state and configuration below one folder."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time

import check

SETTINGS = {
    "drops": ["drop"], "out": "out", "state": "state", "workers": 2,
    "watch": {"settleSeconds": 0.2, "arrivingSecondsMax": 1},
    "queue": {"retrySeconds": [0.1, 0.1, 0.1, 0.1, 0.1]},
    "publish": {"deleteGraceSeconds": 0, "freeSpaceReserveBytes": 0},
}


class Trouble(Exception):
    """Something is not as promised."""


class Programs:
    """The folder of the programs to be proven."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.stickerd = self.find("stickerd")
        self.stickerctl = self.find("stickerctl")

    def find(self, name):
        path = os.path.join(self.folder, name)
        if not os.access(path, os.X_OK):
            raise Trouble(f"there is no program {path}; build it first")
        return path

    @property
    def has_worker(self):
        places = [self.folder, os.path.join(self.folder, "..", "libexec"),
                  os.path.join(self.folder, "..", "libexec", "stickerd"),
                  os.path.join(self.folder, "..", "lib", "stickerd")]
        return any(os.path.exists(os.path.join(place, "stickerd-worker")) for place in places)


class Stage:
    """One library. What is put into its drop is remembered with what has to become of it."""

    def __init__(self, programs, place, settings=None, drop=None):
        self.programs, self.place = programs, place
        self.drop = drop or os.path.join(place, "drop")
        self.out, self.state = os.path.join(place, "out"), os.path.join(place, "state")
        self.config = os.path.join(place, "config.json")
        self.logs = place # another folder, where this one may break
        self.expected, self.memory = {}, check.Memory()
        for folder in (self.drop, self.out, self.state):
            os.makedirs(folder, exist_ok=True)
        self.settings = merged(SETTINGS, settings or {})
        self.settings["drops"] = [self.drop]
        with open(self.config, "w", encoding="utf-8") as file:
            json.dump(self.settings, file)

    def copy(self, place):
        """The same library elsewhere, over the same drop."""
        twin = Stage(self.programs, place, self.settings, self.drop)
        for folder in ("out", "state"):
            shutil.copytree(os.path.join(self.place, folder), os.path.join(place, folder),
                            dirs_exist_ok=True)
        twin.expected = self.expected
        twin.memory.identifiers = dict(self.memory.identifiers)
        twin.memory.generations = dict(self.memory.generations)
        return twin

    # --- Files ---

    def put(self, path, data, verdict="accept", in_place=False, owner=None):
        """Drops a file: renamed into its place, or written there bit by bit; as that user's, if this is root."""
        target = os.path.join(self.drop, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        made = target if in_place else os.path.join(self.place, f".made-{threading.get_ident()}")
        with open(made, "wb") as file:
            file.write(data)
        if owner is not None and os.geteuid() == 0:
            os.chown(made, owner, -1)
        if not in_place:
            shutil.move(made, target)
        before = self.expected.get(path)
        times = (before.times if before else 0) + 1
        self.expected[path] = check.Dropped(path, check.sha256(data), verdict, times)

    def remove(self, path):
        os.unlink(os.path.join(self.drop, path))
        del self.expected[path]

    # --- Programs ---

    def drain(self, environment=None, limit=240):
        """Runs to the end; the exit code, negative for a signal, and the log."""
        daemon = Daemon(self, ["--drain"], environment)
        try:
            code = daemon.process.wait(limit)
        except subprocess.TimeoutExpired as late:
            daemon.kill()
            raise Trouble(f"a drain takes over {limit} s: {daemon.log()[-2000:]}") from late
        return code, daemon.log()

    def start(self, environment=None, prefix=()):
        return Daemon(self, [], environment, prefix)

    def stickerctl(self, *arguments):
        run = subprocess.run([self.programs.stickerctl, "--config", self.config, *arguments],
                             capture_output=True, check=False)
        if run.returncode not in (0, 3):
            raise Trouble(f"stickerctl {arguments}: exit {run.returncode}: "
                          f"{run.stderr.decode(errors='replace')[-500:]}")
        return run.stdout

    def jobs(self):
        return json.loads(self.stickerctl("jobs", "--json"))["jobs"]

    def status(self):
        return json.loads(self.stickerctl("status", "--json"))

    # --- Judging ---

    def judge(self, may_wait=False):
        return check.judge(
            self.out, list(self.expected.values()), self.jobs(), self.memory, may_wait)

    def seen_by_reader(self):
        """What an app would stumble over at this moment, whatever has just happened."""
        published = check.Published(self.out)
        return (published.complaints(self.memory.verified) + self.memory.complaints(published)
                + check.half_written(self.out))

    def judge_if_started(self):
        """None while a first start has not made its database yet."""
        try:
            return self.judge()
        except Trouble:
            return None

    def finished(self, may_wait=False):
        """The judgement of a run that has come to its end; with what it left lying about."""
        result = self.judge(may_wait)
        result.broken += check.half_written(self.out)
        result.broken += [f"left behind: {text}" for text in check.litter(self.out)]
        return result

    def settle(self, limit, daemon=None):
        """Waits until every file has its end, and the judgement says nothing more."""
        end, pause = time.monotonic() + limit, 0.1
        while True:
            result = self.judge_if_started()
            if result and (not result.complaints or time.monotonic() > end):
                return result
            if not result and time.monotonic() > end:
                return self.judge()
            if daemon and not daemon.is_alive:
                raise Trouble(f"the daemon ended by itself: {daemon.process.returncode}: "
                              f"{daemon.log()[-2000:]}")
            time.sleep(pause)
            pause = min(2, pause * 1.5)


class Daemon:
    """A running stickerd, or another program; its log is a file beside its configuration."""

    count = 0
    running = set()

    def __init__(self, stage, arguments, environment=None, prefix=(), program=None):
        Daemon.count += 1
        self.stage = stage
        self.log_path = os.path.join(stage.logs, f"log-{Daemon.count}.txt")
        variables = {key: value for key, value in os.environ.items()
                     if not key.startswith(("STICKERD_", "FAULT_"))}
        variables.update(environment or {})
        variables["SWIFT_BACKTRACE"] = "enable=no"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [*prefix, program or stage.programs.stickerd, "--config", stage.config, *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables)
        Daemon.running.add(self.process)

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_alive(self):
        return self.process.poll() is None

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def kill(self):
        self.process.kill()
        return self.process.wait(60)

    def stop(self, limit=60):
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired as late:
            self.kill()
            raise Trouble(f"it does not stop within {limit} s: {self.log()[-1500:]}") from late

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_alive:
            self.kill()

    def workers(self):
        """The processes it has started."""
        return [pid for pid in descendants(self.pid) if name_of(pid).startswith("stickerd-worke")]

    def processor_seconds(self):
        fields = read(f"/proc/{self.pid}/stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """Looks at the memory and the descriptors of a daemon and its workers, ten times a second."""

    def __init__(self, daemon):
        self.daemon, self.peaks, self.series = daemon, {}, []
        self.descriptors, self.is_over = 0, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def run(self):
        while not self.is_over.wait(0.1):
            for pid in [self.daemon.pid, *descendants(self.daemon.pid)]:
                size = resident(pid, "VmHWM:")
                name = name_of(pid)
                self.peaks[name] = max(self.peaks.get(name, 0), size)
            self.series.append(resident(self.daemon.pid))
            self.descriptors = max(self.descriptors, open_files(self.daemon.pid))

    @property
    def peak(self):
        return max(self.peaks.values(), default=0)


def kill_daemons():
    """Whatever ends the proof, no daemon outlives it."""
    for process in Daemon.running:
        if process.poll() is None:
            process.kill()


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return "" # the process has ended


def resident(pid, kind="VmRSS:"):
    """Bytes of memory in use, or with VmHWM the most that ever were."""
    for line in read(f"/proc/{pid}/status").splitlines():
        if line.startswith(kind):
            return int(line.split()[1]) * 1024
    return 0


def open_files(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0 # the process has ended


def name_of(pid):
    return read(f"/proc/{pid}/comm").strip()


def is_alive(pid, name):
    """Whether `pid` is a process called `name` that is no zombie: who waits for his parent is dead."""
    state = read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return name_of(pid).startswith(name) and bool(state) and state[0] not in "ZX"


def descendants(pid):
    """Children and theirs."""
    found = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found # the process has ended
    for thread in threads:
        for child in read(f"/proc/{pid}/task/{thread}/children").split():
            found += [int(child), *descendants(int(child))]
    return found


def merged(settings, others):
    """`settings` with the values of `others` in their place, part by part."""
    result = dict(settings)
    for key, value in others.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            value = merged(result[key], value)
        result[key] = value
    return result
