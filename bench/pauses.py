#!/usr/bin/env python3
"""How long collections stop the proxy, and what each collector costs: the same load with one after the other.

    bench/pauses.py                                  G1, Parallel, Serial; 3 rounds of 10 seconds
    bench/pauses.py --rate 10000 --rounds 1 --collectors G1

Each proxy has conf/jvm.options but for the collector. Point selects in text, 64 clients, held to --rate a second
(0: as many as there are). A flight recording tells the pauses. Prints for each collector: queries per second, CPU per
query, how many pauses, the longest and the median one. Exit 1 when a run had errors.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from run import HERE, cpu_nanos, figure, prepare, sysbench, Direct
from scenarios import ALL

OPTIONS = HERE.parent / "conf" / "jvm.options"
CLIENTS = 64


class Proxy:
    """One of ours with a collector."""

    def __init__(self, collector, port):
        self.collector, self.port = collector, port
        lines = [line for line in OPTIONS.read_text(encoding="utf-8").splitlines()
                 if line and not line.startswith("#") and not line.startswith("-XX:+UseG1GC")]
        self.environment = os.environ | {
            "HOME_NAME": f"pauses_{collector}", "PORT": str(port),
            "ANABRANCH_JVM_OPTS": " ".join([*lines, f"-XX:+Use{collector}GC"])}

    def call(self, verb):
        return subprocess.run([HERE / "peer-anabranch.sh", verb], check=True, capture_output=True, text=True,
                              env=self.environment, timeout=120).stdout.strip()

    def measure(self, seconds, rate):
        """Queries per second, CPU µs per query, pauses in milliseconds; None after an error."""
        pid = self.call("pids")
        recording = HERE / "target" / f"pauses_{self.collector}.jfr"
        jcmd(pid, "JFR.start", "name=pauses", "settings=default")
        before = cpu_nanos([pid])
        done = sysbench(ALL[0], self.port, "plain_db", "text", CLIENTS, seconds, 10000, more=(f"--rate={rate}",))
        cpu = cpu_nanos([pid]) - before
        jcmd(pid, "JFR.stop", "name=pauses", f"filename={recording}")
        queries = figure(r"queries: +(\d+)", done.stdout)
        if done.returncode or not queries:
            return None
        return figure(r"queries: +\d+ +\(([\d.]+)", done.stdout), cpu / 1000 / queries, pauses(recording)


def jcmd(pid, *words):
    subprocess.run(["jcmd", pid, *words], check=True, capture_output=True)


def pauses(recording: Path):
    told = subprocess.run(["jfr", "print", "--json", "--events", "jdk.GCPhasePause", recording], check=True,
                          capture_output=True, text=True).stdout
    events = json.loads(told)["recording"]["events"]
    return [float(event["values"]["duration"].removeprefix("PT").removesuffix("S")) * 1000 for event in events]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collectors", default="G1,Parallel,Serial")
    parser.add_argument("--rate", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    subprocess.run([HERE / "databases.sh", "start"], check=True)
    prepare(Direct(), "plain", 10000)
    proxies = [Proxy(name, 23317 + 10 * i) for i, name in enumerate(options.collectors.split(","))]
    seen = {proxy.collector: [] for proxy in proxies}
    try:
        for proxy in proxies:
            proxy.call("start")
            sysbench(ALL[0], proxy.port, "plain_db", "text", 32, 12, 10000)
        for _ in range(options.rounds):
            for proxy in proxies:
                seen[proxy.collector].append(proxy.measure(options.seconds, options.rate))
    finally:
        for proxy in proxies:
            proxy.call("stop")
    for collector, runs in seen.items():
        good = [run for run in runs if run]
        if good:
            rates, cpus, stops = zip(*good)
            every = sorted(stop for run in stops for stop in run)
            longest, middle = (every[-1], statistics.median(every)) if every else (0, 0)
            print(f"{collector:9} {statistics.median(rates):8.0f} queries/s  {statistics.median(cpus):6.1f} µs CPU/query"
                  f"  {len(every)} pauses, longest {longest:.1f} ms, median {middle:.1f} ms")
    sys.exit(0 if all(all(runs) for runs in seen.values()) else 1)


if __name__ == "__main__":
    main()
