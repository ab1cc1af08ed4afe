#!/usr/bin/env python3
"""promises.py: prints what docs/stability.md promises by name, a line each: verbs, options, keys, figures and codes, as the
manual pages list them, and addresses with their parameters, as openapi.json has them. Tests compare the pages with the
programs. What a release printed is kept beside its library (keep-library.sh), and the next ones have to print it too."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).parent.parent
TERM = re.compile(r"^\.It (?:Va|Fl|Li|Cm) (.*)")


def terms(line):
    """The names that an item begins with, without what they take: `Fl -limit Ar number`, `Va open_files , ready`."""
    for part in line.split(" , "):
        words = re.sub(r"^(?:Va|Fl|Li|Cm) ", "", part.split(" Ar ")[0]).split()
        if words:
            yield words[0]


def manual(path):
    verb = ""
    for line in path.read_text().splitlines():
        if line.startswith(".so "):
            yield from manual(path.with_name(pathlib.Path(line).name))
        elif line.startswith(".Sh "):
            verb = ""
        elif path.name == "stickerctl.1" and line.startswith(".Ss "):
            # Its arguments are in capitals.
            verb = " ".join(word for word in line.split()[1:] if word[0].islower()) + " "
            yield verb.strip()
        elif match := TERM.match(line):
            for term in terms(match[1]):
                yield verb + ("-" + term if term.startswith("-") else term)


def addresses():
    described = json.loads((ROOT / "Sources/C/CPages/openapi.json").read_text())
    shared = described.get("components", {}).get("parameters", {})
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method not in ("get", "post", "put", "delete", "head", "options"):
                continue
            yield f"{method.upper()} {path}"
            for parameter in operation.get("parameters", []) + methods.get("parameters", []):
                if "$ref" in parameter:
                    parameter = shared[parameter["$ref"].rsplit("/", 1)[1]]
                yield f"{method.upper()} {path} {parameter['name']}"


lines = {f"{page.name}: {name}" for page in (ROOT / "deploy/man").glob("*.[158]") for name in manual(page)}
lines |= {f"openapi: {name}" for name in addresses()}
print("\n".join(sorted(lines)))
