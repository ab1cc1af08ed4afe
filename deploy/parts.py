#!/usr/bin/env python3
"""parts.py BINARIES LINKED VERSION SBOM COPYRIGHT: what the packages consist of. Writes SBOM, in SPDX 2.3 (JSON), with
the Swift packages that are linked, the runtime of Swift and the Debian packages whose libraries are loaded; and
COPYRIGHT, with the licences of all that is linked into the programs. BINARIES is the folder of the build, LINKED what
link.py made of it. SOURCE_DATE_EPOCH is the date of the list."""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from link import GROUPS, objects

ICU = "Unicode-3.0"


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def licence(text):
    """The SPDX identifier of a licence's text."""
    if "Apache License" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    sys.exit(f"parts: a licence that is not known here: {text[:200]}")


def linked_packages(binaries):
    """The checkouts whose modules are in a program: the compiler leaves the sources of each module beside its objects."""
    folders = {pathlib.Path(path).parent for _, _, programs, guests in GROUPS
               for program in programs + guests for path in objects(binaries, program)}  # fmt: skip
    names = set()
    for folder in folders:
        sources = folder / "sources"
        if sources.exists():
            names.update(re.findall(r"/checkouts/([^/]+)/", sources.read_text()))
    return sorted(names)


def swift_packages(binaries):
    """Name, version, revision, address and texts of each Swift package that is linked."""
    checkouts = next(parent / "checkouts" for parent in binaries.parents if (parent / "checkouts").is_dir())
    pins = {re.sub(r"\.git$", "", pin["location"]).rsplit("/", 1)[1].lower(): pin
            for pin in json.loads(pathlib.Path("Package.resolved").read_text())["pins"]}  # fmt: skip
    for name in linked_packages(binaries):
        pin, folder = pins[name.lower()], checkouts / name
        texts = {kind: "\n".join(path.read_text() for path in sorted(folder.glob(f"{kind}*")))
                 for kind in ("LICENSE", "NOTICE")}  # fmt: skip
        # Of others whose sources it contains: llhttp.
        texts["NOTICE"] += "".join(f"\n{path.parent.name}:\n\n{path.read_text()}"
                                   for path in sorted(folder.glob("Sources/*/LICENSE*")))  # fmt: skip
        yield {"name": name, "version": pin["state"]["version"], "revision": pin["state"]["revision"],
               "address": re.sub(r"\.git$", "", pin["location"]), **texts}  # fmt: skip


def runtime():
    target = json.loads(run("swiftc", "-print-target-info"))
    version = re.search(r"Swift version ([\d.]+)", target["compilerVersion"])[1]
    text = pathlib.Path(target["paths"]["runtimeResourcePath"], "../../share/swift/LICENSE.txt").read_text()
    return version, text


def loaded_packages(linked):
    """The Debian packages whose libraries each group of programs loads: {group: {(package, version): is direct}}."""
    found = {}
    for library, folder, programs, guests in GROUPS:
        files = [linked / folder / program for program in programs + guests]
        files.append(linked / "lib" / "stickerd" / f"lib{library}.so")
        # The HEIC worker loads it where libheif has its decoder apart.
        plugins = list(pathlib.Path("/usr/lib").glob("*/libheif/plugins/libheif-libde265.so"))
        if "workers" in library:
            files += plugins
        direct = set()
        for file in files:
            direct.update(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "--dynamic", file)))
        paths = {}
        for file in files:
            paths.update(re.findall(r"(\S+) => (/\S+)", run("ldd", file)))
        if "workers" in library:
            paths.update((plugin.name, str(plugin)) for plugin in plugins)
        packages = {}
        for name, path in paths.items():
            if not pathlib.Path(path).is_relative_to(linked):
                package = owner(path)
                packages[package] = packages.get(package, False) or name in direct
        found[library] = packages
    return found


owners = {}


def owner(path):
    """The Debian package of a library, whether it is found below / or below /usr."""
    if path not in owners:
        real = os.path.realpath(path)
        for candidate in (real, path, real.removeprefix("/usr"), "/usr" + path):
            result = subprocess.run(["dpkg", "--search", candidate], capture_output=True, text=True)
            if result.returncode == 0:
                break
        else:
            sys.exit(f"parts: {path} is of no Debian package")
        package = result.stdout.split(": ")[0].split(",")[0]
        fields = "${Package}\t${Version}\t${source:Package}"
        owners[path] = tuple(run("dpkg-query", "--show", f"--showformat={fields}", package).split("\t"))
    return owners[path]


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(words))


def described(name, version, **more):
    return {"SPDXID": identifier(name, version), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "copyrightText": "NOASSERTION", **more}  # fmt: skip


def purl(address):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": address}]


def list_of_parts(swift, linked, version):
    """The SPDX document."""
    own = {"licenseConcluded": "MIT", "licenseDeclared": "MIT"}
    packages = [described(library, version, **own) for library, *_ in GROUPS]
    links = [("SPDXRef-DOCUMENT", "DESCRIBES", package["SPDXID"]) for package in packages]
    ours = {library: identifier(library, version) for library, *_ in GROUPS}

    toolchain, text = runtime()
    packages.append(described("swift", toolchain, licenseConcluded=licence(text), licenseDeclared=licence(text),
                              comment="The runtime of Swift and Foundation, linked in.",
                              externalRefs=purl(f"pkg:generic/swift@{toolchain}")))  # fmt: skip
    links += [(program, "STATIC_LINK", packages[-1]["SPDXID"]) for program in ours.values()]
    # Foundation has it with its data; the workers do without.
    packages.append(described("icu", f"of swift {toolchain}", licenseConcluded=ICU, licenseDeclared=ICU))
    links.append((ours["stickerd"], "STATIC_LINK", packages[-1]["SPDXID"]))
    for part in swift:
        kind = licence(part["LICENSE"])
        packages.append(described(part["name"], part["version"], licenseConcluded=kind, licenseDeclared=kind,
                                  downloadLocation=f"git+{part['address']}@{part['revision']}",
                                  externalRefs=purl(f"pkg:swift/{part['address'].removeprefix('https://')}"
                                                    f"@{part['version']}")))  # fmt: skip
        links.append((ours["stickerd"], "STATIC_LINK", packages[-1]["SPDXID"]))

    known = set()
    for library, found in loaded_packages(linked).items():
        for (name, release, source), is_direct in sorted(found.items()):
            package = described(name, release, externalRefs=purl(f"pkg:deb/debian/{name}@{release}?upstream={source}"))
            if package["SPDXID"] not in known:
                known.add(package["SPDXID"])
                packages.append(package)
            links.append((ours[library], "DYNAMIC_LINK" if is_direct else "DEPENDS_ON", package["SPDXID"]))

    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    content = json.dumps([packages, links], sort_keys=True).encode()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"stickerd-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/stickerd-{version}-{hashlib.sha256(content).hexdigest()}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: stickerd-parts"],
        },
        "packages": packages,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in links],
    }  # fmt: skip


def copyright_text(swift):
    """The licence of stickerd, and those of what is linked in: each text once."""
    line = "=" * 78
    parts = [pathlib.Path("LICENSE").read_text(),
             "The programs contain the parts that follow. The libraries that they load are packages of Debian, with\n"
             "licences of their own in /usr/share/doc.\n"]  # fmt: skip
    texts = {}
    for part in swift:
        texts.setdefault(part["LICENSE"], []).append(part)
    version, text = runtime()
    texts.setdefault(text, []).append({"name": "swift (runtime, Foundation, Dispatch)", "version": version, "NOTICE": "",
                                       "address": "https://github.com/swiftlang/swift"})  # fmt: skip
    # The toolchain comes without it.
    icu = pathlib.Path("deploy/debian/icu-licence.txt").read_text()
    texts.setdefault(icu, []).append({"name": "ICU with its data", "version": f"of swift {version}", "NOTICE": "",
                                      "address": "https://github.com/swiftlang/swift-foundation-icu"})  # fmt: skip
    for text, owners_of_it in texts.items():
        names = "\n".join(f"{part['name']} {part['version']}, {part['address']}" for part in owners_of_it)
        parts.append(f"{line}\n{names}\n{line}\n\n{text}")
    for part in swift:
        if part["NOTICE"]:
            parts.append(f"{line}\nNotice of {part['name']}\n{line}\n\n{part['NOTICE']}")
    return "\n".join(parts)


def main():
    binaries, linked = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    version, sbom, notices = sys.argv[3:]
    swift = list(swift_packages(binaries))
    pathlib.Path(sbom).write_text(json.dumps(list_of_parts(swift, linked, version), indent=1) + "\n")
    pathlib.Path(notices).write_text(copyright_text(swift))


if __name__ == "__main__":
    main()
