"""What the scripts beside this file share: one sticker, or a loop in one process.

With the arguments IN OUT, run(make) calls make(IN, OUT) once. Without arguments, it reads lines of IN and
OUT with a tab between them until there are no more, and answers each with the CPU seconds that it took:
those of all threads, without start-up and imports."""
import sys
import time


def run(make):
    if len(sys.argv) > 1:
        make(sys.argv[1], sys.argv[2])
        return
    for line in sys.stdin:
        source, output = line.rstrip("\n").split("\t")
        start = time.process_time()
        try:
            make(source, output)
        except Exception as error:  # a picture that cannot be read must not end the loop
            print(f"{source}: {error}", file=sys.stderr)
        print(time.process_time() - start, flush=True)
