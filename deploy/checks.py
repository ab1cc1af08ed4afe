"""What the checks beside this file and the benchmarks share: pictures, libraries, and programs that run for a while."""

import binascii
import json
import pathlib
import socket
import struct
import subprocess
import sys
import time
import urllib.request
import zlib


def fail(words):
    """Ends the check."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: FAILED: {words}")


def png(*colours, side=64):
    """A picture in one colour, or with more than one an animation of as many frames (APNG)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", binascii.crc32(kind + data))

    def control(number):
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, side, side, 0, 0, 1, 5, 0, 0))

    bodies = [zlib.compress((b"\0" + bytes(colour) * side) * side) for colour in colours]
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    if len(bodies) == 1:
        return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", bodies[0]) + chunk(b"IEND", b"")
    head += chunk(b"acTL", struct.pack(">II", len(bodies), 0))
    frames = control(0) + chunk(b"IDAT", bodies[0])
    for number, body in enumerate(bodies[1:]):
        frames += control(2 * number + 1)
        frames += chunk(b"fdAT", struct.pack(">I", 2 * number + 2) + body)
    return b"\x89PNG\r\n\x1a\n" + head + frames + chunk(b"IEND", b"")


def drain(programs, folder):
    """Makes the library of `folder` out of what lies in its drop."""
    run = subprocess.run(
        [programs / "stickerd", "--drain", "--allow-unsandboxed"], cwd=folder,
        capture_output=True, text=True)
    if run.returncode != 0:
        fail(f"no library was made:\n{run.stderr}")


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


class Program:
    """A program at work, until it is stopped or its with block ends. What it says is added to a file in its folder."""

    def __init__(self, command, folder):
        self.name = pathlib.Path(command[0]).name
        self.log = folder / f"{self.name}.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            fail(f"{self.name} does not stop:\n{self.said()}")

    def said(self):
        return self.log.read_text()


def wait(programs, lacks, seconds=120, pause=0.05):
    """Waits until nothing is missing. `lacks` tells what is, or raises an OSError while it cannot ask. It will not get
    better once one of the programs has ended."""
    end = time.monotonic() + seconds
    while True:
        try:
            lacking = lacks()
        except OSError as error:
            lacking = error
        if not lacking:
            return
        ended = [program for program in programs if program.process.poll() is not None]
        if ended or time.monotonic() > end:
            said = "".join(f"\n--- {program.name}\n{program.said()[-5000:]}" for program in programs)
            fail(f"{', '.join(program.name for program in ended) or 'nobody'} ended; lacking: {lacking}{said}")
        time.sleep(pause)


def readiness(base):
    """What stickerd-web says about its library once it is ready; until then there is an OSError."""
    with urllib.request.urlopen(f"{base.rstrip('/')}/readyz", timeout=10) as answer:
        return json.load(answer)
