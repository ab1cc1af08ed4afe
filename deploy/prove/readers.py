#!/usr/bin/env python3
"""Many apps that read what is published, all the while, each for itself: the index, manifests, and
whether the files are there that these name, with their size and content.

    readers.py COUNT    reads lines from standard input, and answers each that asks for it:
      watch FOLDER      read what is published in this `out` from now on
      leave FOLDER      no more; answered once no reader is in it
      end               answered with the figures as JSON
"""

import json
import os
import random
import subprocess
import sys
import threading
import time

import check

PARTS = 20 # a reader remembers the ids of one name in so many, or 200 of them would fill the memory
SHARE = 1500 # a reader rests so many times as long as a look took


class Reader:
    """One app: it takes the index, then manifests, and every file that they name must be there."""

    def __init__(self, number, room):
        self.dice, self.room, self.number = random.Random(number), room, number
        self.memories = {}
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        time.sleep(self.dice.random() * 3)
        while True:
            out = self.room.enter(self.dice)
            begin = time.thread_time()
            if out:
                try:
                    self.look(out)
                finally:
                    self.room.leave(out)
            took = time.thread_time() - begin
            time.sleep(max(1.5, took * SHARE) * (0.5 + self.dice.random()))

    def look(self, out):
        with self.room.lock:
            open_ones = set(self.room.inside)
        self.memories = {place: known for place, known in self.memories.items()
                         if place in open_ones}
        memory = self.memories.setdefault(out, check.Memory((self.number, PARTS)))
        memory.verified = self.room.verified
        try:
            published = check.Published(out, lambda categories: self.some(categories, 4))
            complaints = published.complaints(memory.verified, lambda files: self.some(files, 500))
            complaints += memory.complaints(published)
        except Exception as error: # noqa: whatever an app stumbles over is a finding
            complaints = [f"{type(error).__name__}: {error}"]
        self.room.note(out, complaints)


    def some(self, things, count):
        """All of them, or as many as an app shows at once."""
        return things if len(things) <= count else self.dice.sample(things, count)


class Room:
    """Who reads where."""

    def __init__(self):
        self.lock = threading.Condition()
        self.inside, self.leaving = {}, set()
        self.verified = {} # pictures never change under one name, inode and time
        self.looks, self.complaints = 0, []

    def enter(self, dice):
        with self.lock:
            open_ones = [out for out in self.inside if out not in self.leaving]
            if not open_ones:
                return None
            out = dice.choice(open_ones)
            self.inside[out] += 1
            return out

    def leave(self, out):
        with self.lock:
            self.inside[out] -= 1
            self.lock.notify_all()

    def note(self, out, complaints):
        with self.lock:
            self.looks += 1
            self.complaints += [f"a reader of {out}: {text}" for text in complaints[:3]]

    def watch(self, out):
        with self.lock:
            self.inside[out] = 0

    def end_watch(self, out):
        with self.lock:
            self.leaving.add(out)
            self.lock.wait_for(lambda: not self.inside[out])
            self.leaving.discard(out)
            del self.inside[out]


class Readers:
    """The readers as a process of their own, seen from the proof."""

    def __init__(self, count=200):
        self.count, self.lock = count, threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), str(count)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())

    def watch(self, out):
        self.ask(f"watch {out}")

    def leave(self, out):
        """What readers have found there, and elsewhere, since somebody last asked."""
        return self.ask(f"leave {out}")["complaints"]

    def end(self):
        """How often they have looked."""
        answer = self.ask("end")
        self.process.stdin.close()
        self.process.wait()
        return answer["looks"]


def serve(count):
    os.nice(5) # they are many, and what they look at comes first
    threading.stack_size(256 * 1024)
    room = Room()
    room.readers = [Reader(number, room) for number in range(count)]
    for line in sys.stdin:
        verb, _, out = line.rstrip("\n").partition(" ")
        if verb == "watch":
            room.watch(out)
        if verb == "leave":
            room.end_watch(out)
        with room.lock:
            begin = f"a reader of {out}:"
            mine = [text for text in room.complaints if out and text.startswith(begin)]
            room.complaints = [text for text in room.complaints if text not in mine]
            answer = {"looks": room.looks, "complaints": mine}
        print(json.dumps(answer), flush=True)
        if verb == "end":
            return


if __name__ == "__main__":
    serve(int(sys.argv[1]))
