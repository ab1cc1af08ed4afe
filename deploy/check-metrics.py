#!/usr/bin/env python3
"""check-metrics.py PROGRAMS: lets the programs of that folder measure a library of a few pictures, and holds what they
expose against promtool, the alert rules and the dashboard: each expression is parsed, names nothing that is not
exposed, and finds something. Each alert is silent on these figures, and sounds once they say what it is about."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from checks import Program, fail, free_port, png, wait

try:
    import yaml
except ImportError:
    fail("there is no python3-yaml; run: make deps")

DEPLOY = pathlib.Path(__file__).resolve().parent
ALERTS = DEPLOY / "prometheus/alerts.yml"
DASHBOARD = DEPLOY / "grafana/stickerd.json"
# What Prometheus itself gives every series of a target.
TARGET_LABELS = {"instance": "test:1", "job": "stickerd"}
# What Grafana fills in.
VARIABLES = {"$instance": ".*", "$__rate_interval": "5m", "$__range": "1h"}

# What the figures say when an alert has to sound: the beginnings of series, with a value that stays, with a number by
# which it grows each minute, or with values as promtool writes them. None takes a series away.
SOUNDS = {
    "StickerdDown": [{"stickerd_metrics_written_timestamp_seconds": "0"},
                     {"stickerd_metrics_written_timestamp_seconds": None},
                     # One daemon of several.
                     {"stickerd_web_daemon_metrics": "1x60 0x60"}],
    "StickerdNotReady": [{"stickerd_ready": "0"}],
    "StickerdPaused": [{f'stickerd_obstacle{{kind="{kind}"': "1"}
                       for kind in ["space", "system", "store", "intake"]],
    "StickerdFailing": [{f'stickerd_obstacle{{kind="{kind}"': "1"}
                        for kind in ["manifests", "packs", "upkeep", "figures"]],
    "StickerdStuck": [{"stickerd_oldest_waiting_job_age_seconds": "1801"}],
    "StickerdSlow": [{'stickerd_job_latency_seconds_bucket{priority="fresh",le="300"': "+9",
                      'stickerd_job_latency_seconds_bucket{priority="fresh",le="1800"': "+9",
                      'stickerd_job_latency_seconds_bucket{priority="fresh",le="+Inf"': "+9"}],
    "StickerdFilesRefused": [{'stickerd_attention_items{kind="refused"': "1"}],
    "StickerdDeletionHeld": [{'stickerd_attention_items{kind="held"': "1"}],
    "StickerdDropAway": [{"stickerd_drops_away": "1"}],
    "StickerdPacksLacking": [{'stickerd_attention_items{kind="pack"': "1"}],
    "StickerdWorkersDie": [{'stickerd_worker_deaths_total{reason="decoder-crashed"': "+1"}],
    "StickerdSpaceLow": [{"stickerd_free_reserve_bytes": "256000000",
                          f'stickerd_free_bytes{{folder="{folder}"': "1000000000"}
                         for folder in ["out", "state"]],
    "StickerdFoldersUnreadable": [{"stickerd_unreadable_folders": "1"}],
    "StickerdFoldersPolled": [{"stickerd_polled_folders": "1"}],
    "StickerdEventsOverflow": [{"stickerd_inotify_overflows_total": "+1"}],
    "StickerdWebDown": [{"stickerd_web_build_info": None}, {"up": "0"}],
    "StickerdUploadsDown": [{"stickerd_web_uploads_daemon": "1x60 0x60"}],
    "StickerdWebNotReady": [{"stickerd_web_ready": "0"}],
    "StickerdWebTrouble": [{"stickerd_web_trouble": "1"}],
    "StickerdWebUpstreamTrouble": [{'stickerd_web_upstream_trouble{upstream="partner"': "1"}],
    "StickerdWebErrors": [{'stickerd_web_requests_total{route="trending",status="500"': "+30"}],
}
# One picture of the library is refused.
SOUNDS_ANYWAY = {"StickerdFilesRefused"}


def promtool(*arguments, text=None):
    """What promtool says, and whether it is content; what it lints counts as a fault."""
    run = subprocess.run(["promtool", *arguments], input=text, capture_output=True, text=True)
    words = run.stdout + run.stderr
    if run.returncode != 0:
        fail(f"promtool {' '.join(map(str, arguments[:2]))}:\n{words}")
    return words


# Two stickers, one refused picture, and somebody who asks for them.
MEASURED = {
    'stickerd_jobs{state="completed"}': 2, 'stickerd_jobs{state="discarded"}': 1,
    'stickerd_attention_items{kind="refused"}': 1, "stickerd_ready": 1,
    "stickerd_stickers": 2, "stickerd_categories": 1, "stickerd_web_stickers": 2,
    "stickerd_web_categories": 1, "stickerd_web_ready": 1, "stickerd_web_daemon_metrics": 1,
    "stickerd_web_uploads_daemon": 1,
}


def measure(programs, folder):
    """What the daemon writes and what the server answers after some work and some requests."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    (folder / "drop/cats").mkdir(parents=True)
    # Nobody asks for its stickers, so that nothing is wrong with it.
    partner = {"title": "Partner", "url": "http://127.0.0.1:1/", "imageHosts": ["cdn.example.org"]}
    (folder / "uploads").mkdir()
    (folder / "tokens").touch()
    config = {"publish": {"freeSpaceReserveBytes": 1000},
              "personal": {"drop": "uploads", "private": "private", "tokensFile": "tokens"},
              "web": {"listen": f"127.0.0.1:{port}", "upstreams": {"partner": partner}}}
    (folder / "config.json").write_text(json.dumps(config))
    for number, colour in enumerate([(255, 0, 0), (0, 0, 255)]):
        (folder / f"drop/cats/{number} cat.png").write_bytes(png(colour))
    (folder / "drop/cats/bad.png").write_bytes(b"no picture")

    def lacks():
        for path in ["/api/stickers/trending", "/api/stickers/search?q=cat", "/none.json"]:
            ask(url + path)
        found = series(ask(url + "/metrics"))
        return {name: found.get(name) for name, value in MEASURED.items() if found.get(name) != value}

    with Program([programs / "stickerd", "--allow-unsandboxed"], folder) as daemon, \
            Program([programs / "stickerd", "--personal", "--allow-unsandboxed"], folder) as uploads, \
            Program([programs / "stickerd-web"], folder) as server:
        wait([daemon, uploads, server], lacks, pause=0.2)
        return (folder / "run/metrics.prom").read_text(), ask(url + "/metrics")


def ask(url):
    """The text of an answer; empty where there is none yet."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()
    except OSError:
        return ""


def series(text):
    """The values of an exposition, by name and labels. A line has nothing behind its value, no time above all."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        match = re.fullmatch(r'([a-z0-9_]+(?:\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)+\})?) (\S+)', line)
        if not match:
            fail(f"no line of an exposition: {line}")
        if match[1] in found:
            fail(f"{match[1]} is exposed twice")
        found[match[1]] = float(match[2])
    return found


def labels(found):
    """The labels of each name."""
    known = {}
    for name in found:
        names = re.findall(r'([a-z_]+)="(?:[^"\\]|\\.)*"', name.partition("{")[2])
        known.setdefault(name.partition("{")[0], set(TARGET_LABELS)).update(names)
    return known


def check_names(where, expression, known, further=""):
    """No name and no label that is not exposed. `further` are texts with {{label}} in them."""
    names = set(re.findall(r"\bstickerd_[a-z0-9_]+", expression))
    if not names:
        fail(f"{where} asks for nothing: {expression}")
    for name in names - known.keys():
        fail(f"{where} asks for {name}, which is not exposed")
    for name, matchers in re.findall(r"\b(stickerd_[a-z0-9_]+)\{([^}]*)\}", expression):
        for label in re.findall(r"([a-z_]+)\s*(?:=~|!~|!=|=)", matchers):
            if label not in known[name]:
                fail(f"{where} asks for the label {label}, which {name} has not")
    grouped = re.findall(r"\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)", expression)
    shown = re.findall(r"\{\{\s*(?:\$labels\.)?([a-z_]+)\s*\}\}", further)
    for label in [label.strip() for group in grouped for label in group.split(",") if label.strip()] + shown:
        if not any(label in known[name] for name in names):
            fail(f"{where} groups by or shows the label {label}, which {', '.join(sorted(names))} have not")


def filled(expression):
    for variable, value in VARIABLES.items():
        expression = expression.replace(variable, value)
    return expression


def panels(dashboard):
    """Every expression of the dashboard, with its place and its legend."""
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield f"the panel {panel['title']}", filled(target["expr"]), target["legendFormat"]


def alerts():
    """Every alert: its name, its expression and its texts."""
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def check_texts(alert, verbs):
    """What is wrong, and what to do about it, with verbs that there are."""
    texts = alert.get("annotations", {})
    if set(texts) != {"summary", "remedy"} or not all(texts.values()):
        fail(f"{alert['alert']} has no summary and remedy")
    for verb in re.findall(r"stickerctl ([a-z-]+)", texts["remedy"]):
        if verb not in verbs:
            fail(f"{alert['alert']} names stickerctl {verb}")


def verbs_of(programs):
    words = subprocess.run(
        [programs / "stickerctl", "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  ([a-z-]+)", words.partition("SUBCOMMANDS:")[2], re.MULTILINE))


def recorded(dashboard):
    """The expressions of the dashboard as recording rules, which promtool can parse."""
    rules = [{"record": f"dashboard:{number}", "expr": expression}
             for number, (_, expression, _) in enumerate(panels(dashboard))]
    return json.dumps({"groups": [{"name": "dashboard", "rules": rules}]})


def scenario(found, changes, questions):
    """A test of promtool: for two hours the figures are as they were found, but for the changes; then each question is
    answered with 1."""
    targets = ",".join(f'{name}="{value}"' for name, value in TARGET_LABELS.items())
    lines, used = [], set()
    # Prometheus itself says whether it reached a target.
    figures = {"up": "1"} | {name: f"{value:.15g}" for name, value in found.items()}
    for beginning, change in changes.items():
        matching = [name for name in figures if name.startswith(beginning)]
        if not matching and "{" in beginning:  # it would appear with its first event
            matching = [beginning + "}"]
        for name in matching:
            used.add(beginning)
            figures[name] = change
    for beginning in changes.keys() - used:
        fail(f"nothing exposed begins with {beginning}")
    for name, value in figures.items():
        if value is None:
            continue
        start, growth = ("0", value[1:]) if value.startswith("+") else (value, "0")
        inner = f"{name[:-1]},{targets}}}" if name.endswith("}") else f"{name}{{{targets}}}"
        lines.append({"series": inner, "values": value if "x" in value else f"{start}+{growth}x120"})
    return {
        "interval": "1m", "input_series": lines,
        "promql_expr_test": [
            {"expr": question, "eval_time": "2h", "exp_samples": [{"labels": "{}", "value": 1}]}
            for question in questions],
    }


def finds(expression):
    return f"(count({expression}) or vector(0)) > bool 0"


def finds_nothing(expression):
    return f"(count({expression}) or vector(0)) == bool 0"


def scenarios(found, rules, dashboard):
    quiet = [finds_nothing(rule["expr"]) for rule in rules if rule["alert"] not in SOUNDS_ANYWAY]
    # A panel may show only what is not 0, which here would be nothing.
    shown = [finds(re.sub(r" > 0$", "", expression)) for _, expression, _ in panels(dashboard)]
    yield scenario(found, {}, quiet + shown)
    for rule in rules:
        for changes in SOUNDS[rule["alert"]]:
            yield scenario(found, changes, [finds(rule["expr"])])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check-metrics.py PROGRAMS")
    if not shutil.which("promtool"):
        fail("there is no promtool; run: make deps")
    programs = pathlib.Path(sys.argv[1]).resolve()
    dashboard, rules = json.loads(DASHBOARD.read_text()), alerts()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file, answer = measure(programs, folder)
        for text in [file, answer]:
            if words := promtool("check", "metrics", text=text):
                fail(words)
        found = series(answer)
        known = labels(found)
        for where, expression, legend in panels(dashboard):
            check_names(where, expression, known, legend)
        verbs = verbs_of(programs)
        for rule in rules:
            check_names(rule["alert"], rule["expr"], known, " ".join(rule["annotations"].values()))
            check_texts(rule, verbs)
        if SOUNDS.keys() != {rule["alert"] for rule in rules}:
            fail(f"tried and declared alerts differ: {SOUNDS.keys() ^ {rule['alert'] for rule in rules}}")
        (folder / "dashboard.yml").write_text(recorded(dashboard))
        promtool("check", "rules", "--lint=all", "--lint-fatal", ALERTS, folder / "dashboard.yml")
        tests = list(scenarios(found, rules, dashboard))
        (folder / "tests.yml").write_text(json.dumps({"tests": tests}))
        promtool("test", "rules", folder / "tests.yml")
    print(f"check-metrics: {len(found)} series, {len(list(panels(dashboard)))} expressions and "
          f"{len(rules)} alerts in {len(tests)} situations held")


if __name__ == "__main__":
    main()
