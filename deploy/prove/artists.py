"""An artist whose files take as long as the limits allow, beside one who draws."""

import random
import shutil
import tempfile
import threading
import time

import art
from hostile import await_published, long_gif
from loads import is_idle, timed
from stage import Stage

SMALL_SECONDS = 3
FILM_TIMES = 3
# Two users that own no process of this proof; only root can give files away.
HOSTILE, HONEST = 65532, 65533

SIDE = "x='0' y='0' width='1' height='1'"
WHOLE = "<rect width='512' height='512' fill='red' filter='url(#f)'/>"


def svg(content, number):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='512' height='512'>{content}"
            f"<!-- {number} --></svg>").encode()


def octaves(dice):
    return (f"<filter id='f' {SIDE}><feTurbulence baseFrequency='.01' "
            f"numOctaves='{dice.randrange(10**6, 10**9)}'/></filter>{WHOLE}")


def blurs(dice):
    blur = f"<feGaussianBlur stdDeviation='{dice.randrange(40, 80)}'/>"
    return f"<filter id='f' {SIDE}>{blur * 40}</filter>{WHOLE * dice.randrange(150, 250)}"


def masks(dice):
    used = "<g mask='url(#m)'><rect width='512' height='512'/></g>"
    return (f"<mask id='m'><rect width='512' height='512' fill='white'/></mask>"
            f"{used * dice.randrange(2000, 4000)}")


def morphology(dice):
    shapes = "".join(f"<feMorphology operator='{kind}' radius='{dice.randrange(90, 150)}'/>"
                     for kind in ("dilate", "erode"))
    return f"<filter id='f' {SIDE}>{shapes}</filter>{WHOLE * 60}"


def kernels(dice):
    numbers = "1 " * 225
    return (f"<filter id='f' {SIDE}><feConvolveMatrix order='15' kernelMatrix='{numbers}'/></filter>"
            f"{WHOLE * dice.randrange(60, 120)}")


def dashes(dice):
    points = "".join(f"L{n * 37 % 512} {n * 91 % 512}" for n in range(dice.randrange(40_000, 80_000)))
    return f"<path d='M0 0{points}' stroke='#000' stroke-width='3' stroke-dasharray='1 2' fill='none'/>" * 4


def gradients(dice):
    stops = "".join(f"<stop offset='{n / 3000}' stop-color='#{n * 77 % 0xFFFFFF:06x}'/>" for n in range(3000))
    filled = "<rect width='512' height='512' fill='url(#g)'/>"
    return f"<linearGradient id='g'>{stops}</linearGradient>{filled * dice.randrange(2000, 3000)}"


KINDS = [octaves, blurs, masks, morphology, kernels, dashes, gradients]


def film_seconds(stage, daemon, name, data, limit):
    begin = time.monotonic()
    stage.put(f"{name}/film.gif", data, owner=HONEST)
    return await_published(stage, name, 1, limit, daemon, begin)


def beside(section, programs, work, seed, count):
    """`count` bombs of several kinds, two in a folder; another artist's picture and her film of 200 frames meanwhile."""
    dice = random.Random(seed)
    place = tempfile.mkdtemp(prefix="artists-", dir=work)
    stage, idle = Stage(programs, place), is_idle()
    film = long_gif(seed, 200, 96)
    with stage.start() as daemon:
        stage.put("first/one.png", art.png(999), owner=HONEST)
        stage.settle(30, daemon)
        alone = film_seconds(stage, daemon, "alone", film, 300)
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            stage.put(f"bombs{number // 2}/{number}.svg", svg(kind(dice), number), "either", owner=HOSTILE)
        time.sleep(1) # so that bombs are at work
        found = []
        filming = threading.Thread(target=lambda: found.append(
            film_seconds(stage, daemon, "beside", long_gif(seed + 1, 200, 96), 900)))
        filming.start()
        waits = []
        while filming.is_alive() or len(waits) < 5:
            begin = time.monotonic()
            stage.put(f"small/{len(waits)}.png", art.png(len(waits)), owner=HONEST)
            waits.append(await_published(stage, "small", len(waits) + 1, 120, daemon, begin) or 120)
            time.sleep(dice.uniform(0.5, 2))
        filming.join()
        code = daemon.stop()
    # Bombs may take hours to their ends; each has one, or waits for it.
    result = stage.finished(may_wait=True)
    if code:
        result.broken.append(f"exit {code} of a daemon that was asked to stop")
    section.judge(f"{count} bombs beside a film and {len(waits)} pictures", stage, result)
    section.figure("files published, refused, waiting at the end",
                   f"{result.published}, {result.refused}, {result.waiting}")
    what = f"beside {count} drawings that run to the limits"
    timed(section, idle, f"a small picture of another artist {what}, slowest of {len(waits)}", max(waits), SMALL_SECONDS)
    times = (found[0] or 900) / max(alone or 900, 1)
    section.figure(f"her film of 200 frames, {alone or 900:.1f} s alone, {what}", f"{times:.1f} times that",
                   f"{FILM_TIMES} times" if idle else None, times <= FILM_TIMES or not idle)
    shutil.rmtree(place)
