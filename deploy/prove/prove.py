#!/usr/bin/env python3
"""Proves that every file that is dropped ends as published, or as refused with a reason, once.

    prove.py --programs FOLDER            all, in at most 45 minutes; writes docs/proof.md
    prove.py --programs FOLDER --quick    a part, in less than three minutes
    prove.py --programs FOLDER --long     every single call, and an hour of random failures

It exits with 1 where anything was not as promised, says which run of which seed that was, and keeps
the folder of that run.
"""

import argparse
import datetime
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile

import artists
import clients
import faults
import hostile
import life
import loads
import power
import selftest
from readers import Readers
from report import Report
from stage import Programs, Trouble, kill_daemons

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def sections(mode):
    """Name, seconds, and what is done."""
    quick, long = mode == "quick", mode == "long"
    flood = 2_000 if quick else 100_000
    good, bad = (40, 60) if quick else (1000, 1000)
    pick = lambda short, usual, complete: short if quick else complete if long else usual
    yield "checker", 30, lambda s, p, c: selftest.damages(s, p, c.memory)
    yield "drains", pick(45, 480, 20_000), lambda s, p, c: faults.drains(
        s, p, c.injector, c.readers, c.memory, c.seed, long)
    yield "watching", pick(15, 240, 1200), lambda s, p, c: faults.watching(
        s, p, c.injector, c.readers, c.memory, c.seed)
    yield "workers", pick(10, 90, 300), lambda s, p, c: faults.workers(
        s, p, c.readers, c.work, c.seed)
    yield "power cuts", pick(20, 360, 6000), lambda s, p, c: power.cuts(
        s, p, c.injector, c.memory, c.seed, long)
    yield "names", 30, lambda s, p, c: hostile.names(s, p, c.memory)
    yield "hostile files", pick(20, 360, 720), lambda s, p, c: hostile.crowd(
        s, p, c.readers, c.work, c.seed, good, bad, not quick)
    if not quick:
        yield "bombs", pick(0, 240, 480), lambda s, p, c: hostile.bombs_beside_ten(
            s, p, c.readers, c.work, c.seed)
    yield "artists", pick(30, 120, 300), lambda s, p, c: artists.beside(
        s, p, c.work, c.seed, 28 if quick else 200)
    yield "clients", pick(40, 120, 600), lambda s, p, c: clients.beside(
        s, p, c.work, pick(2, 10, 60))
    yield "loads", pick(20, 600, 1200), lambda s, p, c: loads.flood(
        s, p, c.readers, c.work, c.seed, flood)
    if not quick:
        yield "life", pick(0, 360, 3600), lambda s, p, c: life.sequences(s, p, c.seed)
        yield "shortages", pick(0, 120, 240), lambda s, p, c: loads.shortages(s, p, c.work)
    if long:
        yield "endurance", 3600, lambda s, p, c: loads.endurance(
            s, p, c.injector, c.readers, c.work, c.seed)


class Common:
    """What all sections need."""

    def __init__(self, work, seed):
        self.work, self.seed = tempfile.mkdtemp(prefix="run-", dir=work), seed
        # Whether a disk is behind the files makes no difference when only a process dies.
        self.memory = tempfile.mkdtemp(prefix="stickerd-prove-", dir=memory_folder() or self.work)
        self.injector = faults.Injector(self.work)
        self.readers = Readers(200)

    def clean(self):
        for folder in (self.work, self.memory):
            shutil.rmtree(folder, ignore_errors=True)


def memory_folder():
    folder = "/dev/shm"
    if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > 2 << 30:
        return folder
    return None


# --- The page ------------------------------------------------------------------------------------


def output_of(*command):
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return run.stdout.strip()


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo", encoding="ascii") as file:
        memory = int(file.readline().split()[1]) / 1e6
    return (f"{os.cpu_count()} cores ({models[0] if models else platform.machine()}), "
            f"{memory:.0f} GB of memory, Linux {platform.release()}")


INTRODUCTION = [
    "Every file that is dropped ends as published, or as refused with a reason, once: whatever is",
    "killed, fails, fills up or is dropped beside it. `make prove` tests that from outside, and",
    "wrote this page; its checker (`deploy/prove/check.py`) knows only the drops, `out` and",
    "`stickerctl`. The section `life` carries random sequences of folder operations out, with stops,",
    "kills and rebuilds between them, and compares ids, order, words, contents and the number of",
    "encodes with those of a simple model (`Tests/EndToEndTests/Life/LifeModel.swift`) whenever nothing",
    "is left to be done.",
]


def page(report, programs, looks, minutes, mode):
    """docs/proof.md"""
    total = report.total
    commit = output_of("git", "rev-parse", "--short", "HEAD") or "unknown"
    if output_of("git", "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    version = output_of(programs.stickerd, "--version")
    lines = [
        "# Proof", "", *INTRODUCTION, "",
        f"stickerd {version}, commit {commit}, {datetime.date.today()}, {minutes:.0f} minutes"
        + (", `make prove-long`" if mode == "long" else "") + f", seed {report.seed}.",
        f"{machine()}.", "",
        f"**Lost {total('lost')}, doubled {total('doubled')}, wrong verdicts {total('wrong')}, "
        f"other complaints {total('broken')}**: {total('runs'):,} runs, {total('files'):,} files, "
        f"{total('published'):,} published, {total('refused'):,} refused; 200 readers looked "
        f"{looks:,} times.", "",
        "| Section | Runs | Files | Published | Refused | Lost | Doubled | Wrong | Seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for section in report.sections:
        counts = [section.runs, section.files, section.published, section.refused, section.lost,
                  section.doubled, section.wrong, round(section.seconds)]
        lines.append(f"| {section.name} | " + " | ".join(f"{count:,}" for count in counts) + " |")
    lines += ["", "| Section | Figure | Value | Limit | |", "|---|---|---|---|---|"]
    for section in report.sections:
        for what, value, limit, holds in section.figures:
            verdict = "" if limit == "" else "held" if holds else "**not held**"
            lines.append(f"| {section.name} | {what} | {value} | {limit} | {verdict} |")
    skipped = [f"- {section.name}: {text}"
               for section in report.sections for text in section.skipped]
    lines += ["", f"Skipped: {len(skipped) or 'nothing'}.", *skipped]
    failures = [f"- {section.name}: {run}: {short(complaints[0])}"
                for section in report.sections for run, complaints, _ in section.failures]
    if failures:
        lines += ["", f"Failures: {len(failures)}.", *failures]
    return "\n".join(lines) + "\n"


def short(text):
    return " ".join(text.split())[:200].replace("|", "/")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="the folder of stickerd and stickerctl")
    parser.add_argument(
        "--quick", action="store_const", const="quick", dest="mode", default="usual")
    parser.add_argument("--long", action="store_const", const="long", dest="mode")
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--share", type=float, default=1, help="of the time, for trying it out")
    parser.add_argument("--only", action="append", help="a section; may be given again")
    parser.add_argument("--work", default=os.path.join(ROOT, ".build-prove"))
    parser.add_argument("--page", help="where the page goes, else docs/proof.md")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    try:
        programs, common = Programs(options.programs), Common(options.work, options.seed)
    except Trouble as trouble:
        sys.exit(f"prove: {trouble}")
    report = Report(options.seed, options.work)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("prove: stopped"))
    try:
        for name, seconds, action in sections(options.mode):
            if not options.only or name in options.only:
                report.run(name, seconds * options.share,
                           lambda section: action(section, programs, common))
        looks = common.readers.end()
    finally:
        kill_daemons()
        common.clean()
    minutes = sum(section.seconds for section in report.sections) / 60
    text = page(report, programs, looks, minutes, options.mode)
    target = options.page or (None if options.mode == "quick" or options.only
                              else os.path.join(ROOT, "docs/proof.md"))
    if target:
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)
    failed = sum(len(section.failures) for section in report.sections)
    print(f"prove: {'FAILED' if failed else 'held'}: lost {report.total('lost')}, doubled "
          f"{report.total('doubled')}, wrong verdicts {report.total('wrong')}, {failed} failures"
          + (f"; evidence in {report.evidence}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
