"""results.csv -> summary.md (medians, ratios) and report.html (the same with plots)."""

import csv
import html
import os
import platform
import statistics
from pathlib import Path

FLOOR = "haproxy"
COLOURS = {"direct": "#888888", "haproxy": "#3b6ea5", "anabranch": "#2a9d5c", "shardingsphere": "#c8553d"}


COMPARED = ("qps", "cpu_us_per_query", "database_cpu_us_per_query")


def medians(path):
    """(scenario, target, protocol, threads) -> peer -> {tps, qps, …}: medians over the rounds; None where one failed.

    of_floor_qps and of_floor_cpu_us_per_query are medians of what each run is of the floor's in the same round: a machine that
    changes its speed from minute to minute then does so for both.
    """
    cells = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            key = (row["scenario"], row["target"], row["protocol"], int(row["threads"]))
            cells.setdefault(key, {}).setdefault(row["peer"], []).append(row)
    result = {}
    for key, peers in cells.items():
        result[key] = {}
        for peer, rows in peers.items():
            if all(row["qps"] for row in rows):
                result[key][peer] = {
                    name: statistics.median(float(row[name]) for row in rows) if rows[0][name] else None
                    for name in ("tps", "qps", "avg_ms", "p95_ms", "errors", "cpu_us_per_query",
                                 "database_cpu_us_per_query", "backend_queries_per_query")}
                for name in COMPARED:
                    result[key][peer]["of_floor_" + name] = of_floor(rows, peers.get(FLOOR, ()), name)
            else:
                result[key][peer] = None
    return result


def of_floor(rows, floor_rows, name):
    """None where there is nothing to compare."""
    floor = {row["round"]: row[name] for row in floor_rows}
    ratios = [float(row[name]) / float(floor[row["round"]]) for row in rows if row[name] and floor.get(row["round"])]
    return statistics.median(ratios) if ratios else None


def shown(value):
    return "" if value is None else f"{value:.2f}"


def ratio(value, base):
    return f"{value / base:.2f}" if value and base else ""


def with_fewest_clients(figures):
    """(target, protocol, peer) -> its throughput with the fewest of several numbers of clients."""
    by_threads = {}
    for (_, target, protocol, threads), peers in figures:
        for peer, m in peers.items():
            if m:
                by_threads.setdefault((target, protocol, peer), {})[threads] = m["qps"]
    return {key: qps[min(qps)] for key, qps in by_threads.items() if len(qps) > 1}


def table(figures):
    lines = ["| target | protocol | threads | peer | tps | qps | of HAProxy | of fewest clients | avg ms | p95 ms | CPU µs/query | of HAProxy | database's | of HAProxy | "
             "database statements per query | errors |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
    fewest = with_fewest_clients(figures)
    for (_, target, protocol, threads), peers in figures:
        for peer, m in peers.items():
            if m is None:
                lines.append(f"| {target} | {protocol} | {threads} | {peer} | failed ||||||||||||")
                continue
            cpu = m["cpu_us_per_query"]
            lines.append(
                f"| {target} | {protocol} | {threads} | {peer} | {m['tps']:.0f} | {m['qps']:.0f} | {shown(m['of_floor_qps'])} "
                f"| {ratio(m['qps'], fewest.get((target, protocol, peer)))} "
                f"| {m['avg_ms']:.2f} | {m['p95_ms']:.2f} | {f'{cpu:.1f}' if cpu else ''} | {shown(m['of_floor_cpu_us_per_query'])} "
                f"| {m['database_cpu_us_per_query']:.1f} | {shown(m['of_floor_database_cpu_us_per_query'])} "
                f"| {m['backend_queries_per_query']:.2f} | {m['errors']:.0f} |")
    return lines


def bars(figures, name, unit):
    """A bar chart as SVG."""
    rows = [(f"{t} {p} {n}", peer, m[name]) for (_, t, p, n), peers in figures for peer, m in peers.items() if m and m[name]]
    if not rows:
        return ""
    most = max(value for *_, value in rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{len(rows) * 18 + 24}" font-family="sans-serif" font-size="11">',
           f'<text x="0" y="12" font-weight="bold">{html.escape(unit)}</text>']
    for i, (label, peer, value) in enumerate(rows):
        y = 20 + i * 18
        width = 420 * value / most
        out.append(f'<text x="0" y="{y + 12}">{html.escape(label)}</text><text x="150" y="{y + 12}">{html.escape(peer)}</text>'
                   f'<rect x="240" y="{y + 2}" width="{width:.1f}" height="13" fill="{COLOURS.get(peer, "#7a5195")}"/>'
                   f'<text x="{245 + width:.1f}" y="{y + 12}">{value:,.1f}</text>')
    return "\n".join(out) + "</svg>"


def machine():
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    return f"{os.cpu_count()} cores ({model}), Linux {platform.release()}"


def write(folder, scenarios):
    all_figures = medians(folder / "results.csv")
    markdown = [f"Machine: {machine()}; databases, clients and proxies share it. Medians of the rounds.", ""]
    page = ["<!DOCTYPE html><meta charset='utf-8'><title>Benchmarks</title><h1>Benchmarks</h1>", f"<p>{html.escape(markdown[0])}</p>"]
    for scenario in scenarios:
        figures = [(key, peers) for key, peers in all_figures.items() if key[0] == scenario.name]
        markdown += [f"### {scenario.title}", "", *table(figures), ""]
        page += [f"<h2>{html.escape(scenario.title)}</h2>", bars(figures, "qps", "queries per second"),
                 bars(figures, "cpu_us_per_query", "CPU µs of the proxy per query"), bars(figures, "p95_ms", "95th percentile, ms")]
    (folder / "summary.md").write_text("\n".join(markdown))
    (folder / "report.html").write_text("\n".join(page))
