#!/usr/bin/env bash
# options.sh: prints the options of `swift build` and `swift test` that all release builds in .build-deb share, so that
# none compiles again what another has compiled. Tests are found through the index.
set -euo pipefail

echo --scratch-path .build-deb --enable-index-store --explicit-target-dependency-import-check error
# Clang writes the times of headers into its modules, from where they reach the programs: two builds would differ.
echo -Xcc -Xclang -Xcc -fno-pch-timestamp
