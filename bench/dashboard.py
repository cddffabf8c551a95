#!/usr/bin/env python3
"""Draws the dashboard as a real Prometheus fills it: docs/performance/dashboard.svg.

    bench/dashboard.py [--base-port 24460] [--seconds 150] [--out FILE]

Two servers with the shards of a table and a proxy of the built tarball get point selects, ranges over both shards and writes;
a batch of low priority comes, and one server stands still for a tenth of the time, so that there is something to see.
Prometheus (Debian: `prometheus`) scrapes once a second, with the alert rules. Queries of monitoring/grafana-dashboard.json
with something to show are drawn. Exit code 1 where an alert cannot be evaluated. Everything is ended and deleted afterwards.
"""

import argparse
import html
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

import replicas
from replicas import Proxy, Server

HERE = pathlib.Path(__file__).resolve().parent
MONITORING = HERE.parent / "monitoring"
COLOURS = ["#2f6fab", "#c8553d", "#588b4a", "#8d5a97", "#c99a2e", "#4aa3a2", "#7d7d7d", "#a14a76"]
WIDTH, HEIGHT, LEGEND = 460, 120, 36
RULES = ("queryRules:\n- { name: reports, match: { hints: { class: report } }, priority: low, next: true }\n")


class Seen(Proxy):
    """A proxy that is scraped."""

    def __init__(self, port, admin_port, servers):
        self.admin_port = admin_port
        sources = "".join(
            f'  {each.name}:\n    url: "jdbc:mysql://127.0.0.1:{each.port}/sbtest"\n    username: test\n    password: test\n'
            "    maxPoolSize: 6\n    overload: { queue: 10, adaptive: true }\n" for each in servers)
        super().__init__(port, [f"databaseName: sbtest\ndataSources:\n{sources}rules:\n- !SHARDING\n  tables:\n    t:\n"
                                "      actualDataNodes: ds_$->{0..1}.t\n      databaseStrategy:\n"
                                "        standard: { shardingColumn: id, shardingAlgorithmName: m }\n  shardingAlgorithms:\n"
                                "    m: { type: MOD, props: { sharding-count: 2 } }\n"])

    def settings(self):
        return super().settings().replace("proxy-admin-port: 0", f"proxy-admin-port: {self.admin_port}") + RULES


def ask(port, path, **parameters):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}") as answer:
        return json.load(answer)["data"]


def work(port, clients, statements, until):
    """Runs statements, again and again; errors of some are what is to be seen."""
    while time.monotonic() < until:
        subprocess.run(["mariadb-slap", "--no-defaults", "-h127.0.0.1", f"-P{port}", "-utest", "-ptest", "--create-schema=sbtest",
                        "--no-drop", f"--concurrency={clients}", f"--number-of-queries={clients * 200}", "--delimiter=;",
                        f"--query={statements}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stand_still(server, seconds):
    server.sql(f"USE sbtest; LOCK TABLES t WRITE; DO SLEEP({seconds:.0f})")


def shown(value, unit):
    if unit == "s":
        return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
    if unit == "percentunit":
        return f"{value * 100:.3g} %"
    if unit == "bytes":
        return f"{value / 1e6:.3g} MB"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def name_of(series, legend):
    return re.sub(r"{{(\w+)}}", lambda label: series["metric"].get(label[1], ""), legend)


def panel(title, unit, lines, start, end, left, top):
    """Lines over time as SVG: (name, [(time, value)])."""
    most = max([value for _, points in lines for _, value in points if math.isfinite(value)], default=0) or 1
    out = [f'<g transform="translate({left},{top})"><text x="0" y="-8" font-weight="bold">{html.escape(title)}</text>'
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fafafa" stroke="#ddd"/>'
           f'<text x="{WIDTH - 4}" y="12" text-anchor="end" fill="#666">{shown(most, unit)}</text>']
    for i, (name, points) in enumerate(lines):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{(at - start) / (end - start) * WIDTH:.1f},{HEIGHT - value / most * (HEIGHT - 16):.1f}"
                        for at, value in points if math.isfinite(value))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        x, y = i % 4 * WIDTH / 4, HEIGHT + 14 + i // 4 * 13
        out.append(f'<rect x="{x}" y="{y - 8}" width="8" height="8" fill="{colour}"/><text x="{x + 12}" y="{y}">{html.escape(name)}</text>')
    return "".join(out) + "</g>"


def draw(port, start, end, file):
    board = json.loads((MONITORING / "grafana-dashboard.json").read_text())["panels"]
    panels = []
    for each in board:
        lines = []
        for target in each["targets"]:
            query = target["expr"].replace("$instance", ".*").replace("$__rate_interval", "10s")
            for series in ask(port, "query_range", query=query, start=start, end=end, step=2)["result"]:
                points = [(at, float(value)) for at, value in series["values"]]
                if any(math.isfinite(value) and value > 0 for _, value in points):
                    lines.append((name_of(series, target["legendFormat"]), points))
        if lines:
            panels.append((each["title"], each["fieldConfig"]["defaults"]["unit"], lines[:8]))
    height = math.ceil(len(panels) / 2) * (HEIGHT + LEGEND + 30) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * 2 + 60} {height}" font-family="sans-serif" font-size="10">'
           '<rect width="100%" height="100%" fill="#fff"/>']
    for i, (title, unit, lines) in enumerate(panels):
        out.append(panel(title, unit, lines, start, end, 20 + i % 2 * (WIDTH + 20), 30 + i // 2 * (HEIGHT + LEGEND + 30)))
    file.write_text("".join(out) + "</svg>\n")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--base-port", type=int, default=24460)
    options.add_argument("--seconds", type=int, default=150)
    options.add_argument("--out", type=pathlib.Path, default=HERE.parent / "docs" / "performance" / "dashboard.svg")
    chosen = options.parse_args()
    program = shutil.which("prometheus")
    if not program:
        raise SystemExit("no prometheus: apt-get install --no-install-recommends prometheus")
    shutil.rmtree(replicas.WORK, ignore_errors=True)
    base = chosen.base_port
    servers, proxy, prometheus = [], None, None
    try:
        for i in range(2):
            servers.append(Server(f"ds_{i}", base + i))
            servers[i].sql("CREATE DATABASE sbtest; CREATE TABLE sbtest.t (id INT PRIMARY KEY, v INT, KEY (v))")
        proxy = Seen(base + 2, base + 3, servers)
        proxy.sql("USE sbtest; INSERT INTO t VALUES " + ",".join(f"({i},{i * 7919 % 1000})" for i in range(2000)))
        configuration = replicas.WORK / "prometheus.yml"
        configuration.write_text(
            "global: { scrape_interval: 1s, evaluation_interval: 5s }\n"
            f"rule_files: [ '{MONITORING / 'alerts.yaml'}' ]\n"
            f"scrape_configs: [ {{ job_name: anabranch, static_configs: [ {{ targets: ['127.0.0.1:{base + 3}'] }} ] }} ]\n")
        prometheus = subprocess.Popen(
            [program, f"--config.file={configuration}", f"--storage.tsdb.path={replicas.WORK / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{base + 4}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(3)
        start, began = time.time(), time.monotonic()
        until = began + chosen.seconds
        mixed = "SELECT v FROM t WHERE id = 17;SELECT v FROM t WHERE id = 402;SELECT COUNT(*) FROM t WHERE v < 100;UPDATE t SET v = 5 WHERE id = 9"
        batch = "/* ANABRANCH_HINT: class=report */ SELECT v, COUNT(*) FROM t GROUP BY v ORDER BY v"
        threads = [threading.Thread(target=work, args=(base + 2, 8, mixed, until))]
        threads[0].start()
        time.sleep(chosen.seconds * 0.3)
        threads.append(threading.Thread(target=work, args=(base + 2, 16, batch, until)))
        threads[1].start()
        time.sleep(chosen.seconds * 0.2)
        stand_still(servers[1], chosen.seconds * 0.1)
        for each in threads:
            each.join()
        draw(base + 4, start, time.time(), chosen.out)
        rules = [rule for group in ask(base + 4, "rules")["groups"] for rule in group["rules"]]
        failing = [rule["name"] for rule in rules if rule["health"] != "ok"]
        print(f"{chosen.out.name}: {len(rules)} alerts evaluated; firing: "
              f"{', '.join(rule['name'] for rule in rules if rule['state'] == 'firing') or 'none'}")
        return not failing
    finally:
        if prometheus:
            prometheus.terminate()
            prometheus.wait(60)
        if proxy:
            proxy.stop()
        for each in servers:
            each.stop()
        shutil.rmtree(replicas.WORK, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
