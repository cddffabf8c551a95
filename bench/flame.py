#!/usr/bin/env python3
"""A flame graph of a Java process's CPU time, as SVG.

    bench/flame.py PID OUT.svg [SECONDS]     records the process by JFR (jdk.CPUTimeSample), then draws
    bench/flame.py RECORDING.jfr OUT.svg     draws a recording that is there

Needs the JDK 25's jcmd and jfr: JAVA_HOME, or the java of the process.
"""

import collections
import html
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib

WIDTH, ROW, LEAST = 1600, 17, 0.4  # pixels; narrower frames are left out


def tool(name, pid=None):
    homes = [os.environ.get("JAVA_HOME", "")]
    if pid:
        homes.append(os.path.dirname(os.path.dirname(os.readlink(f"/proc/{pid}/exe"))))
    for home in homes:
        path = os.path.join(home, "bin", name)
        if home and os.access(path, os.X_OK):
            return path
    return name


def record(pid, seconds):
    recording = os.path.join(tempfile.mkdtemp(), "cpu.jfr")
    jcmd = tool("jcmd", pid)
    quiet = {"check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([jcmd, pid, "JFR.start", "name=flame", "jdk.CPUTimeSample#enabled=true",
                    "jdk.CPUTimeSample#throttle=1ms"], **quiet)
    time.sleep(seconds)
    subprocess.run([jcmd, pid, "JFR.stop", "name=flame", f"filename={recording}"], **quiet)
    return recording


def stacks(recording, jfr):
    text = subprocess.run([jfr, "print", "--json", "--stack-depth", "128", "--events", "jdk.CPUTimeSample", recording],
                          check=True, capture_output=True, text=True).stdout
    counts = collections.Counter()
    for event in json.loads(text)["recording"]["events"]:
        trace = event["values"].get("stackTrace")
        if trace:
            frames = [f["method"]["type"]["name"].replace("/", ".").split(".")[-1] + "." + f["method"]["name"]
                      for f in trace["frames"]]
            counts[tuple(reversed(frames))] += 1
    return counts


def tree(counts):
    root = {"name": "all", "count": 0, "below": {}}
    for frames, count in counts.items():
        node = root
        node["count"] += count
        for frame in frames:
            node = node["below"].setdefault(frame, {"name": frame, "count": 0, "below": {}})
            node["count"] += count
    return root


def color(name):
    shade = zlib.crc32(name.encode()) % 50
    return f"rgb({205 + shade},{110 + 2 * shade},{60 + shade // 2})"


def draw(root, title):
    total, parts, deepest = max(1, root["count"]), [], 0

    def box(node, left, depth):
        nonlocal deepest
        width = node["count"] * WIDTH / total
        if width < LEAST:
            return
        deepest = max(deepest, depth)
        name, share = html.escape(node["name"]), 100 * node["count"] / total
        label = name[: int(width / 6.5)] if width > 30 else ""
        parts.append(f'<g><title>{name} {share:.1f} %</title><rect x="{left:.1f}" y="{depth}" width="{width:.1f}" '
                     f'height="{ROW - 1}" fill="{color(name)}"/><text x="{left + 3:.1f}" y="{depth}" dy="12">{label}</text></g>')
        for child in sorted(node["below"].values(), key=lambda each: each["name"]):
            box(child, left, depth + ROW)
            left += child["count"] * WIDTH / total

    box(root, 0, 24)
    height = deepest + ROW + 6
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="monospace" font-size="11">'
            f'<text x="4" y="15" font-size="14">{html.escape(title)}: {root["count"]} samples of CPU time</text>'
            + "\n".join(parts) + "</svg>\n")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, out = sys.argv[1:3]
    pid = source if source.isdigit() else None
    recording = record(pid, int(sys.argv[3]) if len(sys.argv) > 3 else 10) if pid else source
    root = tree(stacks(recording, tool("jfr", pid)))
    with open(out, "w", encoding="utf-8") as file:
        file.write(draw(root, os.path.splitext(os.path.basename(out))[0]))


if __name__ == "__main__":
    main()
