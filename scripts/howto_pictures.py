#!/usr/bin/python3
"""Makes the pictures of docs/howto from the HTML reports: charts as SVG, drawn by headless Chromium.

    usage: scripts/howto_pictures.py PATH_OF_GRIDLOCK [PICTURE ...]
"""
import os
import re
import subprocess
import sys
import tempfile

gridlock = os.path.abspath(sys.argv[1])
source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# picture: the report's command, and the charts by their labels
pictures = {
    "how-much-network": (["sweep", "scenarios/sweeps/nic-bandwidth.yaml"], ["step time", "causes"]),
    "how-many-uplinks": (["sweep", "scenarios/sweeps/oversubscription.yaml"], ["step time", "causes"]),
    "one-slow-gpu": (["sweep", "scenarios/sweeps/straggler.yaml"], ["step time", "causes"]),
    "nvlink-domain": (["sweep", "scenarios/sweeps/nvlink-domain.yaml"], ["causes"]),
    "ecmp-or-adaptive": (["sweep", "scenarios/sweeps/routing.yaml"], ["step time heat map"]),
    "strong-scaling": (["sweep", "scenarios/sweeps/strong-scaling.yaml", "--scale", "gpus=1024..16384"], ["step time", "mfu"]),
    "find-what-stalls": (["run", "scenarios/gpt3-175b-4096xh100.yaml", "--why"], ["breakdown of the step", "critical path of the step"]),
}

style = """<style>
  :root { --ink: #1b1f24; --line: #d0d7de; --paper: #fff; --panel: #f6f8fa; --mark: #b42318; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --line: #3a424c; --paper: #0f1318; --panel: #171c23; --mark: #ff8b7e; } }
  svg { font: 12px sans-serif; background: var(--paper); } text { fill: var(--ink); } .domain, .tick line { stroke: var(--line); }
  .grid { stroke: var(--line); stroke-width: .5; } .mark { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 5 3; }
  text.mark { fill: var(--mark); stroke: none; font-weight: 600; }
</style>"""


def draw(page, width=900):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={profile}",
             f"--window-size={width},2000", "--virtual-time-budget=20000", "--dump-dom", "file://" + page],
            capture_output=True, text=True, timeout=240, check=True, env={**os.environ, "HOME": profile}).stdout


def chart(dom, label):
    """The chart's elements without what only a browser needs, its height, and its legend."""
    figure = re.search(rf'<svg role="img" aria-label="{label}"[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(.*?)</svg></figure>(<ul class="legend">.*?</ul>)?', dom, re.S)
    if figure is None:
        sys.exit(f"howto_pictures: no chart '{label}'")
    width, height, body, legend = float(figure[1]), float(figure[2]), figure[3], figure[4] or ""
    body = re.sub(r' (?:tabindex|aria-label|class="focus[^"]*")(?:="[^"]*")?', "", body)
    body = re.sub(r"(\d+\.\d)\d+", r"\1", body)
    return width, height, body, re.findall(r'background: ([^;"]+);?"></i><span>([^<]*)</span>', legend)


def picture(dom, labels):
    parts, top, width = [], 8, 0
    for label in labels:
        width, height, body, legend = chart(dom, label)
        parts.append(f'<g transform="translate(8,{top:g})">{body}</g>')
        top += height + 12
        x = 8
        for colour, name in legend:
            if x + 30 + 6.6 * len(name) > width:
                x, top = 8, top + 20
            parts.append(f'<rect x="{x}" y="{top}" width="12" height="12" fill="{colour}"/><text x="{x + 18}" y="{top + 11}">{name}</text>')
            x += 36 + round(6.6 * len(name))
        top += 24 if legend else 0
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 16:g} {top + 8:g}">{style}{"".join(parts)}</svg>\n'


os.makedirs(f"{source}/docs/howto/pictures", exist_ok=True)
wanted = sys.argv[2:] or pictures
for name in wanted:
    command, labels = pictures[name]
    with tempfile.TemporaryDirectory() as scratch:
        page = os.path.join(scratch, "page.html")
        subprocess.run([gridlock, *command, "-q", "--html", page], cwd=source, check=True, stdout=subprocess.DEVNULL)
        with open(f"{source}/docs/howto/pictures/{name}.svg", "w", encoding="utf-8") as out:
            out.write(picture(draw(page), labels))
    print("howto_pictures:", name)
