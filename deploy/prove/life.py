"""Long random sequences of folder operations against a model of what must be published.

The sequences, the model and what shortens a failing sequence are Swift: Tests/EndToEndTests/Life.
"""

import os
import re
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SEEDS_AT_ONCE = 12
STEPS = 250
LINE = re.compile(r"life: seed \d+: (\d+) operations, compared (\d+) times, (\d+) encodes")


def sequences(section, programs, seed):
    """Rounds of sequences, each with seeds of its own, until the time is over."""
    total, differed = [0, 0, 0], 0
    while not section.is_over(0.9):
        first = seed * 1000 + section.runs
        output = run(programs, first, section.budget)
        lines = LINE.findall(output)
        if not lines:
            return section.fail(f"seeds from {first}; are the tests built?", [output[-4000:]])
        section.runs += len(lines)
        total = [sum(column) for column in zip(total, *(map(int, line) for line in lines))]
        for failure in re.findall(r"^seed \d+ fails;.*?(?=^life:|^[✘✔]|\Z)", output, re.M | re.S):
            differed += 1
            section.fail(failure.split(";")[0], [failure])
    section.figure("operations, and how often all was compared", f"{total[0]:,}, {total[1]:,}")
    section.figure("encodes, each as the model allows", f"{total[2]:,}")
    section.figure("sequences in which anything differed", f"{differed} of {section.runs}", 0,
                   not differed)


def run(programs, first, budget):
    """What the test says of some seeds."""
    environment = dict(
        os.environ, STICKERD_PROGRAMS=programs.folder, STICKERD_LIFE_SEED=str(first),
        STICKERD_LIFE_RUNS=str(SEEDS_AT_ONCE), STICKERD_LIFE_STEPS=str(STEPS),
        SWIFT_BACKTRACE="enable=no")
    options = subprocess.run(
        ["deploy/options.sh"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    command = ["swift", "test", "--skip-build", "-c", "release", *options, "--filter", "LifeTests"]
    # A failing sequence is shortened, which takes as long as hundreds of sequences.
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        timeout=budget + 1800)
    return done.stdout + done.stderr
