#!/usr/bin/env python3
"""link.py BINARIES OUT: links the programs of a release build again, so that what several of them have is on the disk
once: OUT/bin has the programs, OUT/libexec the workers, OUT/lib/stickerd one library for each of both. Every file keeps
its debug information.

The libraries hold Swift's own, Foundation with its data, and the modules that at least two programs of the group have. A
module stays with the programs if it, or one that it uses, needs a C library which one of them does without: loading
those is what makes a program start slowly. Only what the programs ask for is exported, everything else is bound when it
is linked, so that they start as fast as with all of it inside."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

# (library, folder of its programs, programs, programs that may load what they do not need)
GROUPS = [
    ("stickerd", "bin", ["stickerd", "stickerctl", "stickerd-web", "stickerd-console"], ["stickerd-net"]),
    (
        "stickerd-workers",
        "libexec",
        ["stickerd-worker", "stickerd-worker-formats", "stickerd-worker-heic", "stickerd-worker-drawing"],
        [],
    ),
]
# Former names of programs, which stay as links.
ALIASES = {"stickerd-weather": "stickerd-net"}
# The workers answer their libraries in place of libc (CSandbox).
ANSWERED = ["fstat", "fstat64"]


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"link: {command} failed\n{result.stdout}{result.stderr}")
    return result.stdout


class Toolchain:
    def __init__(self):
        target = json.loads(run("swiftc", "-print-target-info"))
        resources = pathlib.Path(target["paths"]["runtimeResourcePath"])
        self.tools = resources.parent.parent / "bin"
        self.archives = resources.with_name("swift_static") / target["target"]["platform"]
        self.start = self.archives / target["target"]["arch"] / "swiftrt.o"

    def archived(self, flag):
        return (self.archives / f"lib{flag[2:]}.a").exists()

    def symbols(self, objects, work):
        """The global symbols that are defined in the objects, and those that they need from elsewhere."""
        defined, needed = set(), set()
        for line in run(self.tools / "llvm-nm", "-P", "-g", listed(objects, work)).splitlines():
            words = line.split()
            if len(words) < 2 or line.endswith(":"):
                continue
            (needed if words[1] in "Uvw" else defined).add(words[0])
        return defined, needed - defined

    def libraries(self, objects, work):
        """The libraries of the modules that the objects import: `-lwebp`."""
        # Only some at once: the tool takes no file of arguments.
        output, flags = work / "autolink", set()
        for at in range(0, len(objects), 200):
            run(self.tools / "swift-autolink-extract", *objects[at : at + 200], "-o", output)
            flags.update(flag for flag in output.read_text().split() if flag.startswith("-l"))
        return flags

    def link(self, output, objects, work, *options):
        output.parent.mkdir(parents=True, exist_ok=True)
        run(
            self.tools / "clang", "-fuse-ld=lld", "-o", output, self.start, listed(objects, work),
            "-Wl,--gc-sections", "-Wl,--icf=safe", "-Wl,--as-needed", "-Wl,--build-id=sha1", "-Wl,-z,defs",
            # Addresses inside take a bit each instead of 24 bytes.
            "-Wl,-z,pack-relative-relocs", "-Wl,-z,nocopyreloc",
            *options, "-lstdc++", "-lm",
        )  # fmt: skip


def listed(paths, work):
    """A file of arguments, for more than a command line takes."""
    file = work / "arguments"
    file.write_text("".join(f'"{path}"\n' for path in paths))
    return f"@{file}"


def objects(binaries, program):
    """SwiftPM leaves the list of objects of a program beside it."""
    lines = (binaries / f"{program}.product" / "Objects.LinkFileList").read_text().splitlines()
    return [line.strip("'\"") for line in lines]


def module(path):
    return pathlib.Path(path).parent.name


def mapped(name):
    """The libraries of a module of ours in C: the modules that import it name them, its own objects do not."""
    path = pathlib.Path("Sources/C", name.removesuffix(".build"), "include", "module.modulemap")
    return {f"-l{library}" for library in re.findall(r'link "(.+)"', path.read_text())} if path.exists() else set()


def shared_modules(programs, guests, parts, tools, work):
    """The modules that belong into the library of a group; `parts` are the objects of each module by program."""
    owners = Counter(name for program in parts.values() for name in program)
    every = {name: files for program in parts.values() for name, files in program.items()}
    libraries = {name: {flag for flag in tools.libraries(files, work) | mapped(name) if not tools.archived(flag)}
                 for name, files in every.items()}  # fmt: skip
    loaded = [set().union(*(libraries[name] for name in parts[program])) for program in programs]
    free = set.intersection(*loaded)
    symbols = {name: tools.symbols(files, work) for name, files in every.items()}
    shared = {name for name in every if owners[name] > 1 and libraries[name] <= free}
    while True:
        theirs = set().union(*(symbols[name][0] for name in shared))
        others = set().union(*(symbols[name][0] for name in every.keys() - shared)) - theirs
        leaving = {name for name in shared if symbols[name][1] & others}
        if not leaving:
            return shared
        shared -= leaving


def link_group(group, binaries, out, tools, work):
    library, folder, programs, guests = group
    parts = {}
    for program in programs + guests:
        parts[program] = defaultdict(list)
        for path in objects(binaries, program):
            parts[program][module(path)].append(path)
    shared = shared_modules(programs, guests, parts, tools, work)
    common = {name: files for program in parts.values() for name, files in program.items() if name in shared}
    inside = [path for name in sorted(common) for path in common[name]]

    own = {program: [path for name, files in modules.items() if name not in shared for path in files]
           for program, modules in parts.items()}  # fmt: skip
    asked = tools.symbols([tools.start], work)[1].union(*(tools.symbols(files, work)[1] for files in own.values()))
    exports = work / "exports"
    exports.write_text("{ global:\n" + "".join(f'"{name}";\n' for name in sorted(asked | set(ANSWERED))) + "local: *; };\n")
    flags = tools.libraries(inside + [path for files in own.values() for path in files], work)
    swift = sorted(flag for flag in flags if tools.archived(flag))
    swift += ["-lFoundationInternationalization", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCollections",
              "-l_FoundationCShims", "-lswiftCore", "-ldispatch", "-lBlocksRuntime"]  # fmt: skip
    path = out / "lib" / "stickerd" / f"lib{library}.so"
    tools.link(
        path, inside, work, "-shared", f"-Wl,-soname,{path.name}", f"-Wl,--version-script={exports}",
        "-Wl,--undefined-version",
        # Taken from the archives although nothing inside needs them.
        *(f"-Wl,-u,{name}" for name in sorted(asked) if re.match(r"\$s|_?swift_", name)),
        f"-L{tools.archives}", "-Wl,--start-group", *swift, "-Wl,--end-group",
        *sorted(flag for flag in tools.libraries(inside, work) if not tools.archived(flag)),
    )  # fmt: skip
    for program, files in own.items():
        tools.link(
            out / folder / program, files, work, "-pie", f"-Wl,--defsym,main={program.replace('-', '_')}_main",
            "-Wl,-rpath,$ORIGIN/../lib/stickerd", path,
            *sorted(flag for flag in tools.libraries(files, work) if not tools.archived(flag)),
        )  # fmt: skip


def main():
    binaries, out = (pathlib.Path(argument).absolute() for argument in sys.argv[1:])
    tools = Toolchain()
    with tempfile.TemporaryDirectory() as work:
        for group in GROUPS:
            link_group(group, binaries, out, tools, pathlib.Path(work))
    for name, program in ALIASES.items():
        link = out / "bin" / name
        link.unlink(missing_ok=True)
        link.symlink_to(program)


if __name__ == "__main__":
    main()
