"""What axe-core says about a page in a browser, for the checks beside this file."""

import importlib.util
import pathlib


def _source():
    """axe-core as axe-playwright-python brings it; None without that."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None:
        return None
    return (pathlib.Path(found.origin).parent / "axe.min.js").read_text()


SOURCE = _source()
if SOURCE is None:
    print("accessibility: not looked at, pip cannot install axe-playwright-python")


def faults(page, what):
    """A line for each fault that is serious or critical."""
    if SOURCE is None:
        return []
    page.evaluate(SOURCE)
    found = page.evaluate("""async () => (await axe.run({ iframes: false })).violations
        .filter(fault => ['serious', 'critical'].includes(fault.impact))
        .map(fault => `${fault.id}: ${fault.nodes[0].html.slice(0, 200)}`)""")
    return [f"{what}: {fault}" for fault in found]
