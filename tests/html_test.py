#!/usr/bin/python3
"""HTML reports in a real browser, headless and offline: they open without errors, and what they say is on the page.

    usage: tests/html_test.py PATH_OF_GRIDLOCK SOURCE_FOLDER

Exits with 77 (skipped) where no Chromium is found.
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

gridlock, source = os.path.abspath(sys.argv[1]), sys.argv[2]
browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if browser is None:
    print("html_test: no Chromium here, skipped")
    sys.exit(77)

failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("html_test:", what)


def render(page, width=1200):
    """The page's elements once its scripts have run, and what the browser logged."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={profile}", f"--window-size={width},2000", "--enable-logging=stderr", "--v=0",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000", "--dump-dom", "file://" + page],
            capture_output=True, text=True, timeout=240, env={**os.environ, "HOME": profile})
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return done.stdout, console


class Elements(html.parser.HTMLParser):
    """Classes of elements, and the text outside scripts and styles."""

    def __init__(self, dom):
        super().__init__()
        self.classes, self.words, self.hidden = [], [], False
        self.feed(dom)

    def handle_starttag(self, tag, attributes):
        self.hidden = tag in ("script", "style")
        self.classes += (dict(attributes).get("class") or "").split()

    def handle_endtag(self, tag):
        self.hidden = False

    def handle_data(self, data):
        if not self.hidden:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(self.words)


def run(*arguments):
    done = subprocess.run([gridlock, *arguments], cwd=source, capture_output=True, text=True, timeout=280)
    check(done.returncode == 0, f"gridlock {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def check_page(file, kind):
    with open(file, encoding="utf-8") as page:
        text = page.read()
    check(not re.search(r"""(?:src|href)\s*=\s*["']?\s*(?:https?:)?//""", text), f"{kind}: the page refers to the network")
    check("Mike Bostock" in text and "Redistribution and use" in text, f"{kind}: the licence of d3 is missing")
    dom, console = render(file)
    check(not console, f"{kind}: the browser complains: {console[:3]}")
    check(f'data-ready="{kind}"' in dom, f"{kind}: the scripts did not run to their end")
    return Elements(dom)


def check_run(folder):
    file = os.path.join(folder, "run.html")
    result = json.loads(run("run", "scenarios/quick-64xh100.yaml", "--why", "--json", "--html", file))
    page = check_page(file, "run")
    for finding in result["why"]["findings"]:
        check(finding["text"] in page.text, f"run: the page lacks: {finding['text']}")
        for remedy in finding["remedies"]:
            check(remedy["text"] in page.text, f"run: the page lacks: {remedy['text']}")
    states = {s for c in result["rank_classes"] for s, seconds in c["breakdown"].items() if seconds > 0}
    check(len(result["rank_classes"]) <= page.classes.count("lane") <= len(result["rank_classes"]) * len(states),
          f"run: {page.classes.count('lane')} areas in the timeline")
    check(result["links"][0]["name"] in page.text, "run: the links are not listed")
    check(os.path.getsize(file) < 2e6, f"run: {os.path.getsize(file)} bytes")


def check_sweep(folder):
    file = os.path.join(folder, "sweep.html")
    lines = [json.loads(line) for line in run("sweep", "scenarios/quick-64xh100.yaml", "-q", "--json", "--html", file,
                                              "--vary", "cluster.fabric.nic=log:50..800Gbps:5", "--vary", "cluster.fabric.pxn=true,false").splitlines()]
    page = check_page(file, "sweep")
    points = [line for line in lines if "index" in line]
    refined = [p for p in points if p["index"] < 0 and p["values"][1] == "true"]
    drawn = 5 + len(refined)  # along the longest axis, in the charts of step time and MFU, and once for every kind of link
    links = {link["name"] for p in points for link in p["links"]}
    check(page.classes.count("point") == drawn * (2 + min(8, len(links))), f"sweep: {page.classes.count('point')} points, {drawn} in each chart")
    check(page.classes.count("cell") == 10, f"sweep: {page.classes.count('cell')} cells in the heat map")
    knees = [line["knee"] for line in lines if "knee" in line]
    check(knees, "sweep: no knee between 50 and 800 Gb/s")
    for knee in knees:
        number = format(knee["value"], ".3g")
        check(f"knee {number}" in page.text or knee["held"] != knees[0]["held"], f"sweep: the knee at {number} is not marked")
        check(knee["slow_regime"] in page.text, f"sweep: the page does not say: {knee['slow_regime']}")
    check(page.classes.count("finding") >= len(knees), "sweep: findings are missing")


def check_jobs(folder):
    file, first, second = (os.path.join(folder, name) for name in ("jobs.html", "first.yaml", "second.yaml"))
    with open(first, "w", encoding="utf-8") as scenario:
        scenario.write(f"""base: {os.path.abspath(source)}/scenarios/quick-64xh100.yaml
cluster: {{nodes: 16, placement: 0-7, idle: allow}}
""")
    with open(second, "w", encoding="utf-8") as scenario:
        scenario.write(f"base: {first}\ncluster: {{placement: 8-15}}\n")
    result = json.loads(run("run", first, "--with", second, "--json", "--html", file))
    page = check_page(file, "jobs")
    used = [s for s in result["jobs"][0]["breakdown_alone"] if any(j["breakdown_alone"][s] > 0 or j["shares_together"][s] > 0 for j in result["jobs"])]
    check(page.classes.count("part") == 4 * len(used), f"jobs: {page.classes.count('part')} parts of bars, {len(used)} states in 4 bars")
    for job in result["jobs"]:
        check(job["name"] in page.text, f"jobs: {job['name']} is not named")
    check(not result["links"] or result["links"][0]["name"] in page.text, "jobs: the links are not listed")


def point(benchmark, seconds, labels=None, **numbers):
    return {"benchmark": benchmark, "labels": labels or {}, "numbers": numbers, "seconds": [seconds, 1.05 * seconds]}


def write_points(file, provenance, points):
    with open(file, "w", encoding="utf-8") as out:
        for line in [{"schema": "gridlock.points/1", "provenance": provenance}, *points]:
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


def check_calibration(folder):
    """A host of 100 GFLOP/s and 30 GB/s: a dot a point in every chart, terms and residuals in words."""
    points, file = os.path.join(folder, "host.jsonl"), os.path.join(folder, "calibration.html")
    products = [point("gemm", 2e-6 + 2 * m * n * k / 1e11 + 4 * (m * k + k * n) / 2e10 + 4 * m * n / 4e10, {"dtype": "fp32"}, m=m, n=n, k=k, batch=1)
                for m in (16, 64, 256, 1024) for n in (16, 100, 700) for k in (16, 128, 900)]
    streams = [point("copy", mb * 1e6 / 30e9, bytes=mb * 1e6) for mb in (64, 128, 256)]
    calls = [point("all_reduce", 2e-6 + b / 4e9, {"library": "mpi"}, bytes=b, ranks=2) for b in (8, 4096, 1 << 20, 1 << 26)]
    write_points(points, {"device": "<b>test</b> CPU", "memory_bytes": "8000000000"}, [*products, *streams, *calls, point("timer", 2e-8)])
    run("calibrate", "--device", "cpu", "--points", points, "-o", os.path.join(folder, "host.yaml"), "--html", file)
    page = check_page(file, "calibrate")
    # Predicted against measured: preset and fit (an all-reduce has no preset); roofline: both; a curve: measured; residuals: both.
    expected = 2 * len(products) + 2 * len(products) + 2 * len(products) + (2 + 1 + 2) * len(streams) + (1 + 1 + 2) * len(calls)
    check(page.classes.count("point") == expected, f"calibration: {page.classes.count('point')} points, {expected} were measured")
    check(page.classes.count("term") == 8, f"calibration: {page.classes.count('term')} terms")
    for text in ("gemm.ceiling", "<b>test</b> CPU", "Roofline", "Before and after", "timer"):
        check(text in page.text, f"calibration: the page lacks {text}")
    check(os.path.getsize(file) < 1e6, f"calibration: {os.path.getsize(file)} bytes")


with tempfile.TemporaryDirectory() as scratch:
    check_calibration(scratch)
    check_run(scratch)
    check_jobs(scratch)
    check_sweep(scratch)
sys.exit(1 if failures else 0)
