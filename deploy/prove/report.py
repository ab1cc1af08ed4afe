"""What the sections of a proof tell: counts, figures, what was left out, failures, evidence."""

import os
import shutil
import stat
import threading
import time
import traceback


class Section:
    """One part of the proof."""

    def __init__(self, name, budget, report):
        self.name, self.report = name, report
        self.start, self.budget = time.monotonic(), budget
        self.seconds = 0
        self.runs = self.files = self.published = self.refused = 0
        self.deaths = self.lost = self.doubled = self.wrong = self.broken = 0
        self.figures, self.skipped, self.failures = [], [], []
        self.lock = threading.Lock()

    def is_over(self, share=1.0):
        """Whether this share of its time has passed."""
        return time.monotonic() - self.start > self.budget * share

    def skip(self, what, why):
        self.skipped.append(f"{what}: {why}")
        self.report.say(f"{self.name}: skipped {what}: {why}")

    def figure(self, what, value, limit=None, holds=True):
        """A number for the page; where it does not hold, that is a failure."""
        self.figures.append((what, value, limit or "", holds))
        self.report.say(f"{self.name}: {what}: {value}" + (f" (limit {limit})" if limit else "")
                        + ("" if holds else " DOES NOT HOLD"))
        if not holds:
            self.fail(what, [f"{value}, the limit is {limit}"])

    def count(self, judgement):
        """Adds what a finished run was judged to be."""
        with self.lock:
            self.runs += 1
            self.files += judgement.published + judgement.refused + judgement.waiting
            self.published += judgement.published
            self.refused += judgement.refused
            self.lost += len(judgement.lost) + len(judgement.open)
            self.doubled += len(judgement.doubled)
            self.wrong += len(judgement.wrong)
            self.broken += len(judgement.broken)
            self.files += len(judgement.lost) + len(judgement.open)

    def fail(self, run, complaints, place=None):
        """Something is not as promised; the folder of the run is kept."""
        with self.lock:
            number = len(self.failures) + 1
            kept = os.path.join(self.report.evidence, f"{self.name.replace(' ', '-')}-{number}")
            os.makedirs(kept, exist_ok=True)
            with open(os.path.join(kept, "complaints.txt"), "w", encoding="utf-8") as file:
                file.write(f"{run}\nseed {self.report.seed}\n\n" + "\n".join(complaints) + "\n")
            self.failures.append((run, complaints, kept))
            if place and number <= 5:
                shutil.copytree(place, kept, dirs_exist_ok=True, symlinks=True,
                                ignore_dangling_symlinks=True, ignore=not_copied)
        self.report.say(f"{self.name}: FAILED: {run}: {complaints[0][:2000]}"
                        + (f" and {len(complaints) - 1} more" if complaints[1:] else "")
                        + f"; evidence in {kept}")

    def judge(self, run, stage, judgement):
        """Counts a finished run, and fails where anything is to be complained of."""
        self.count(judgement)
        if judgement.complaints:
            self.fail(run, judgement.complaints, stage.place)

    def guarded(self, run, action, place=None):
        """Does `action`; whatever it throws is a failure of the run."""
        try:
            action()
        except Exception as error: # noqa: every error of a run is to be told with its run
            self.fail(run, [f"{type(error).__name__}: {error}", traceback.format_exc()], place)

    @property
    def has_failed(self):
        return bool(self.failures)


def not_copied(folder, names):
    """Sockets and pipes, which have no contents."""
    kinds = ((name, os.lstat(os.path.join(folder, name)).st_mode) for name in names)
    return [name for name, mode in kinds if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)]


class Report:
    """All sections."""

    def __init__(self, seed, work):
        self.seed, self.work = seed, work
        self.evidence = os.path.join(work, "evidence")
        self.sections, self.start = [], time.monotonic()
        shutil.rmtree(self.evidence, ignore_errors=True)

    def say(self, text):
        print(f"[{time.monotonic() - self.start:6.0f} s] {text}", flush=True)

    def run(self, name, budget, action):
        """Runs one section."""
        section = Section(name, budget, self)
        self.sections.append(section)
        self.say(f"{name}: begins, {budget:.0f} s at most")
        section.guarded("the section as a whole", lambda: action(section))
        section.seconds = time.monotonic() - section.start
        self.say(f"{name}: {section.runs} runs, {section.files} files, "
                 f"{len(section.failures)} failures, {section.seconds:.0f} s")
        return section

    @property
    def has_failed(self):
        return any(section.has_failed for section in self.sections)

    def total(self, field):
        return sum(getattr(section, field) for section in self.sections)
