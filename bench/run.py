#!/usr/bin/env python3
"""Interleaved rounds of the scenarios over all peers; medians, ratios, a CSV and a page.

    bench/run.py                          point_select and read_write, 3 rounds
    bench/run.py --scenarios all          everything (hours)
    bench/run.py --scenarios crud,mix --rounds 5 --seconds 20 --peers direct,haproxy,anabranch

Everything is written below bench/target/. Exit 1 when a run failed or had errors.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import report
from scenarios import ALL

HERE = Path(__file__).resolve().parent
DATABASES = (23411, 23412, 23421)
IGNORED = "1213,1020,1205,1062"
FIELDS = ("round scenario target protocol threads peer tps qps avg_ms p95_ms errors "
          "cpu_us_per_query database_cpu_us_per_query backend_queries_per_query").split()


class Peer:
    """`peer-NAME.sh start|stop|pids|target KIND`; `target` prints "PORT DATABASE", or nothing where there is none."""

    def __init__(self, name):
        self.name = name
        self.script = HERE / f"peer-{name}.sh"

    def call(self, *verbs):
        done = subprocess.run([self.script, *verbs], capture_output=True, text=True, timeout=300)
        if done.returncode:
            sys.exit(f"{self.script.name} {' '.join(verbs)}: {done.stderr.strip()}")
        return done.stdout.split()

    def target(self, kind):
        words = self.call("target", kind)
        return (int(words[0]), words[1]) if words else None


class Direct:
    """No proxy: the measure."""

    name = "direct"

    def call(self, *_):
        return []

    def target(self, kind):
        return (DATABASES[0], "sbtest") if kind == "plain" else None


def cpu_nanos(pids):
    """Time on a CPU of processes, with that of threads that have ended: by their CPU clocks, which Linux numbers so
    (clock_getcpuclockid). utime and stime are sampled by ticks, which miss short bursts."""
    return sum(time.clock_gettime_ns(~pid << 3 | 2) for pid in map(int, pids))


def questions():
    """Statements that clients have sent to the databases so far; what replicas replay does not count."""
    asked = 0
    for port in DATABASES:
        out = subprocess.run(["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{port}", "-utest", "-ptest", "-NBe",
                              "SHOW GLOBAL STATUS LIKE 'Questions'"], capture_output=True, text=True, check=True).stdout
        asked += int(out.split()[1])
    return asked


def databases():
    """Process ids of the servers."""
    done = subprocess.run([HERE / "databases.sh", "pids"], capture_output=True, text=True, check=True)
    return [int(pid) for pid in done.stdout.split()]


def sysbench(scenario, port, database, protocol, threads, seconds, size, command="run", more=()):
    program = scenario.program
    if program.endswith(".lua"):
        program = str(HERE / "lua" / program)
    args = ["sysbench", program, "--db-driver=mysql", "--mysql-host=127.0.0.1", f"--mysql-port={port}",
            f"--mysql-db={database}", "--mysql-user=test", "--mysql-password=test", "--mysql-ssl=off",
            f"--db-ps-mode={'auto' if protocol == 'prepared' else 'disable'}", f"--tables={scenario.tables}",
            f"--table-size={size}", "--rand-type=uniform", f"--threads={threads}", f"--time={seconds}",
            "--percentile=95", f"--mysql-ignore-errors={IGNORED}", *scenario.options, *more, command]
    environment = os.environ | {"LUA_PATH": f"{HERE}/lua/?.lua;/usr/share/sysbench/?.lua;;"}
    return subprocess.run(args, capture_output=True, text=True, timeout=seconds + 120, env=environment)


def figure(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else None


def measure(scenario, peer, place, protocol, threads, options):
    port, database = place
    pids = peer.call("pids")
    try:
        sysbench(scenario, port, database, protocol, threads, options.warmup, options.size)
        asked, used, served = questions(), cpu_nanos(pids), cpu_nanos(databases())
        done = sysbench(scenario, port, database, protocol, threads, options.seconds, options.size)
        used, served, asked = cpu_nanos(pids) - used, cpu_nanos(databases()) - served, questions() - asked
    except subprocess.TimeoutExpired:
        return None, "did not end"
    out = done.stdout
    queries = figure(r"queries: +(\d+)", out)
    if done.returncode or not queries:
        return None, next((line for line in (out + done.stderr).splitlines() if "FATAL" in line), "no result")
    cpu = used / 1e3 / queries if pids else None
    return {
        "tps": figure(r"transactions: +\d+ +\(([\d.]+)", out), "qps": figure(r"queries: +\d+ +\(([\d.]+)", out),
        "avg_ms": figure(r"avg: +([\d.]+)", out), "p95_ms": figure(r"95th percentile: +([\d.]+)", out),
        "errors": int(figure(r"ignored errors: +(\d+)", out) or 0),
        "cpu_us_per_query": cpu and round(cpu, 2), "database_cpu_us_per_query": round(served / 1e3 / queries, 2),
        "backend_queries_per_query": round(asked / queries, 3),
    }, None


def prepare(peer, kind, size):
    """Rows for a target that has none yet. Replicas get them by replication."""
    place = peer.target(kind)
    if place is None:
        return
    port, database = place
    client = ["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{port}", "-utest", "-ptest", database, "-NBe"]
    counted = subprocess.run([*client, "SELECT COUNT(*) FROM sbtest4"], capture_output=True, text=True)
    if counted.stdout.strip() == str(size):
        return
    for command in ("cleanup", "prepare"):
        auto = "off" if kind.startswith("shard") else "on"
        done = sysbench(ALL[0].__class__("prepare", "oltp_common", ""), port, database, "text", 4, 0, size, command,
                        (f"--auto_inc={auto}",))
        if done.returncode:
            sys.exit(f"{command} of {database} on {port}: {done.stdout[-500:]}{done.stderr[-500:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenarios", default="point_select,read_write")
    parser.add_argument("--peers", default="direct,haproxy,anabranch")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--warmup", type=int, default=2)
    parser.add_argument("--train", type=int, default=12, help="seconds of each target before the first round, for JIT compilers")
    parser.add_argument("--size", type=int, default=10000, help="rows of a table")
    parser.add_argument("--keep", action="store_true", help="leave databases and peers running")
    options = parser.parse_args()
    names = [s.name for s in ALL] if options.scenarios == "all" else options.scenarios.split(",")
    scenarios = [s for s in ALL if s.name in names]
    if len(scenarios) < len(names):
        parser.error(f"scenarios are {', '.join(s.name for s in ALL)}")
    peers = [Direct() if name == "direct" else Peer(name) for name in options.peers.split(",")]
    target = HERE / "target"
    target.mkdir(exist_ok=True)
    subprocess.run([HERE / "databases.sh", "start"], check=True)
    failures = 0
    try:
        for peer in peers:
            peer.call("start")
        kinds = sorted({kind for s in scenarios for kind in s.targets} | {"plain"})
        for peer in peers:
            for kind in kinds:
                prepare(peer, kind, options.size)
        runs = [(s, kind, protocol, threads, peer)
                for s in scenarios for kind in s.targets for protocol in s.protocols for threads in s.threads for peer in peers
                if not s.peers or peer.name in s.peers]
        places = {(peer.name, kind): peer.target(kind) for peer in peers for kind in kinds}
        trained = set()
        for s, kind, protocol, threads, peer in runs:
            place = places[peer.name, kind]
            if place and peer.name != "direct" and (peer.name, kind, s.program, protocol) not in trained:
                trained.add((peer.name, kind, s.program, protocol))
                sysbench(s, *place, protocol, min(max(s.threads), 16), options.train, options.size)
        with open(target / "results.csv", "w", newline="") as file:
            table = csv.DictWriter(file, FIELDS)
            table.writeheader()
            for round_ in range(1, options.rounds + 1):
                for s, kind, protocol, threads, peer in runs:
                    # who has no such database is measured on the plain one, as the measure
                    place = places[peer.name, kind]
                    if place is None and peer.name in ("direct", "haproxy"):
                        place = places[peer.name, "plain"]
                    if place is None:
                        continue
                    result, failure = measure(s, peer, place, protocol, threads, options)
                    head = {"round": round_, "scenario": s.name, "target": kind, "protocol": protocol,
                            "threads": threads, "peer": peer.name}
                    if failure:
                        failures += 1
                        print(*head.values(), "failed:", failure, flush=True)
                        table.writerow(head)
                    else:
                        print(*head.values(), *result.values(), flush=True)
                        table.writerow(head | result)
                    file.flush()
    finally:
        if not options.keep:
            for peer in peers:
                peer.call("stop")
            subprocess.run([HERE / "databases.sh", "stop"], check=False)
    report.write(target, scenarios)
    print((target / "summary.md").read_text())
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
