#!/usr/bin/env bash
# browser.sh: prints the Python that has what the checks of pages need, and makes it in .build-web. Fails if pip cannot
# install Playwright; axe-core may be missing.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian's own Python, which has Debian's Pillow.
/usr/bin/python3 -m venv --system-site-packages .build-web >&2
.build-web/bin/pip install --quiet playwright >&2
.build-web/bin/pip install --quiet axe-playwright-python >&2 || true
echo "$PWD/.build-web/bin/python"
