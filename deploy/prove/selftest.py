"""Damages a library on purpose, in every way that the checker has to notice."""

import json
import os
import shutil
import tempfile

import art
import check
from stage import Stage


def manifest_path(stage):
    return os.path.join(stage.out, "cats/manifest.json")


def changed(path, change):
    """Reads JSON, lets `change` change it, and writes it."""
    value = json.loads(check.contents(path))
    change(value)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def picture(stage, at=0, role="sticker"):
    """The path of a published file."""
    published = check.Published(stage.out).manifests["cats"]
    sticker = published.stickers[at]
    file = next(file for file in sticker["files"] if file["role"] == role)
    return published.path(file["url"])


def written(path, data, mode="wb"):
    with open(path, mode) as file:
        file.write(data)


def flip(path):
    data = bytearray(check.contents(path))
    data[len(data) // 2] ^= 1
    written(path, data)


def drop_sticker(value):
    del value["stickers"][0]


def double_sticker(value):
    twin = dict(value["stickers"][0], identifier="twin")
    value["stickers"].append(twin)


def rename_sticker(value):
    value["stickers"][0]["identifier"] = "another"


def lie_about_size(value):
    value["stickers"][0]["files"][0]["width"] = 511


def older(value):
    value["generation"] -= 1


def on_manifest(change):
    return lambda stage: changed(manifest_path(stage), change)


def rows(change):
    """Lets `change` change the list of jobs."""
    def damage(stage):
        jobs = stage.jobs()
        change(jobs)
        stage.jobs = lambda: jobs
    return damage


def of(jobs, file):
    return next(job for job in jobs if job["file"] == file)


DAMAGES = {
    "a sticker is gone": on_manifest(drop_sticker),
    "a sticker stands there twice": on_manifest(double_sticker),
    "an id is another": on_manifest(rename_sticker),
    "a width is another": on_manifest(lie_about_size),
    "the generation falls": on_manifest(older),
    "a manifest is cut off": lambda stage: os.truncate(manifest_path(stage), 300),
    "a bit of a sticker is flipped": lambda stage: flip(picture(stage)),
    "a bit of a still is flipped": lambda stage: flip(picture(stage, 1, "thumbnail")),
    "a file is missing": lambda stage: os.unlink(picture(stage, 1)),
    "a file is half written": lambda stage: os.truncate(picture(stage), 100),
    "a temporary is left": lambda stage: written(f"{stage.out}/_/.tmp-1", b"x"),
    "a stranger lies among the pictures": lambda stage: written(f"{stage.out}/_/core", b"x"),
    "a picture holds something else": lambda stage: (
        os.makedirs(f"{stage.out}/_/00", exist_ok=True),
        written(f"{stage.out}/_/00/{'0' * 64}.webp", b"x")),
    "a dropped file was never seen": lambda stage: stage.expected.update(
        {"cats/new.png": check.Dropped("cats/new.png", "0" * 64, "accept", 1)}),
    "a dropped file has another content": lambda stage: setattr(
        stage.expected["cats/0.png"], "hash", "0" * 64),
    "a sticker's file is not in the drop": lambda stage: stage.expected.pop("cats/0.png"),
    "a good file is refused": lambda stage: setattr(
        stage.expected["cats/bad.png"], "verdict", "accept"),
    "a bad file is published": lambda stage: setattr(
        stage.expected["cats/0.png"], "verdict", "reject"),
    "a refusal is forgotten": rows(lambda jobs: jobs.remove(of(jobs, "cats/bad.png"))),
    "a refusal has no reason": rows(lambda jobs: of(jobs, "cats/bad.png").pop("reason")),
    "a file is refused twice": rows(lambda jobs: jobs.append(dict(of(jobs, "cats/bad.png")))),
    "a job is done twice": rows(lambda jobs: jobs.append(dict(of(jobs, "cats/0.png")))),
    "a job never ends": rows(lambda jobs: of(jobs, "cats/0.png").update(state="available")),
    "a file is published and refused": rows(lambda jobs: jobs.append(dict(
        of(jobs, "cats/0.png"), state="discarded", needsAttention=True, reason="corrupt"))),
}


WAITING = {
    "a file that waits was never seen": rows(lambda jobs: jobs.remove(of(jobs, "cats/bad.png"))),
    "a file that waits is published": rows(lambda jobs: of(jobs, "cats/0.png").update(state="available")),
    "a file waits twice": rows(lambda jobs: (
        of(jobs, "cats/bad.png").update(state="available"), jobs.append(dict(of(jobs, "cats/bad.png"))))),
}


def damages(section, programs, work):
    """Every damage must lead to a complaint, and the library without one to none."""
    place = tempfile.mkdtemp(prefix="damage-", dir=work)
    stage = Stage(programs, place)
    for number in range(3):
        stage.put(f"cats/{number}.png", art.png(number))
    stage.put("cats/bad.png", b"no picture", "reject")
    stage.drain()
    section.judge("before any damage", stage, stage.finished())
    kept, unnoticed = os.path.join(place, "kept"), []
    shutil.copytree(stage.out, kept)
    all_damages = [(what, damage, False) for what, damage in DAMAGES.items()]
    all_damages += [(what, damage, True) for what, damage in WAITING.items()]
    for what, damage, may_wait in all_damages:
        shutil.rmtree(stage.out)
        shutil.copytree(kept, stage.out)
        victim = Stage(programs, place)
        victim.expected = {path: check.Dropped(path, file.hash, file.verdict, file.times)
                           for path, file in stage.expected.items()}
        victim.finished()
        damage(victim)
        if not is_noticed(victim, may_wait):
            unnoticed.append(what)
    section.figure("damages done on purpose, and noticed by the checker",
                   len(all_damages) - len(unnoticed), len(all_damages), not unnoticed)
    if not waits_alone(stage):
        section.fail("a file that waits, where it may", ["the checker complains of it"])
    for what in unnoticed:
        section.fail(what, ["the checker did not notice"])
    shutil.rmtree(place)


def waits_alone(stage):
    """Whether a file may wait where that is allowed, and nowhere else."""
    rows(lambda jobs: of(jobs, "cats/bad.png").update(state="available"))(stage)
    return stage.finished(may_wait=True).waiting == 1 and not stage.judge(True).complaints \
        and bool(stage.judge().open)


def is_noticed(stage, may_wait=False):
    try:
        return bool(stage.finished(may_wait).complaints)
    except (ValueError, KeyError, OSError):
        return True # a reader stumbles
