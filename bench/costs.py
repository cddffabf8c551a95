#!/usr/bin/env python3
"""What query rules and statistics cost statements that they do not concern, at point selects.

    bench/costs.py [--base-port 24430] [--seconds 5] [--rounds 5] [--clients 8]

One server, and a proxy of the built tarball for each way: `plain` counts nothing, `rules` has 200 query rules that concern
other tables, texts, kinds and users, `statistics` has all statistics (digests, a slow log that is not reached, its file), `audit` has
an audit log of all statements besides, `sharing` has a rule that keeps answers of another table. The ways are measured in turns, round after
round: the proxy's CPU per query by the scheduler's account, and queries in a second. The ratio is that of each round; its median counts.
Exit code 1 where rules take more than 2 % of CPU, or statistics more than 5 %.

Clients are mariadb-slap's, which takes CPU of its own: the figures are ratios, not what a machine can do. The server is on
the base port, proxies behind it. Everything is ended and deleted afterwards.
"""

import argparse
import shutil
import signal
import statistics
import subprocess
import sys
import time

import replicas
from replicas import Proxy, Server, sources
from run import cpu_nanos

RULES = "queryRules:\n" + "".join(
    f"- {{ name: table-{i}, match: {{ tables: [shop.other_{i}] }}, deny: no }}\n"
    f"- {{ name: text-{i}, match: {{ digestPattern: 'FROM nowhere_{i}' }}, milliseconds: 1000, next: true }}\n"
    f"- {{ name: kind-{i}, match: {{ kinds: [DELETE, UPDATE], withoutWhere: true }}, deny: no }}\n"
    f"- {{ name: user-{i}, match: {{ users: [test], kinds: [INSERT] }}, maxRows: 1000 }}\n" for i in range(50))
SHARING = "queryRules:\n- { name: kept, match: { tables: [other] }, cacheMilliseconds: 1000, merge: true }\n"
OFF = "proxy-statistics-digests: 0, proxy-slow-log-threshold-milliseconds: -1"
ALL = "proxy-statistics-digests: 10000, proxy-slow-log-threshold-milliseconds: 1000, proxy-slow-log-file: logs/slow.log"
WAYS = {
    "plain": (OFF, ""),
    "rules": (OFF, RULES),
    "statistics": (ALL, ""),
    "audit": (ALL + ", proxy-audit-log-file: logs/audit.log, proxy-audit-log-statements: ALL", ""),
    "sharing": (OFF, SHARING),
}
LIMITS = {"rules": 1.02, "statistics": 1.05}
ROWS = 10000


class Way(Proxy):
    """A proxy with properties and query rules of its own."""

    def __init__(self, name, port, server, props, rules):
        self.name, self.given = name, (props, rules)
        self.work = replicas.WORK / name
        super().__init__(port, [f"databaseName: sbtest\n{sources([server])}rules: []\n"])

    def prepare(self):
        return self.work

    def settings(self):
        props, rules = self.given
        return super().settings().replace("proxy-admin-port: 0", f"proxy-admin-port: 0, {props}") + rules


def load(port, clients, queries, file):
    """Seconds that the queries took."""
    began = time.monotonic()
    subprocess.run(["mariadb-slap", "--no-defaults", "-h127.0.0.1", f"-P{port}", "-utest", "-ptest", "--create-schema=sbtest",
                    "--no-drop", f"--concurrency={clients}", f"--number-of-queries={queries}", f"--query={file}",
                    "--delimiter=;"], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def measured(way, clients, queries, file):
    """Microseconds of the proxy's CPU per query, and queries in a second."""
    before = cpu_nanos([way.pid])
    took = load(way.port, clients, queries, file)
    return (cpu_nanos([way.pid]) - before) / 1000 / queries, queries / took


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--base-port", type=int, default=24430)
    options.add_argument("--seconds", type=float, default=5)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--clients", type=int, default=8)
    given = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is ended then, too
    replicas.WORK = replicas.WORK.parent / "costs"
    shutil.rmtree(replicas.WORK, ignore_errors=True)
    replicas.WORK.mkdir(parents=True)
    server = Server("a", given.base_port)
    ways = []
    try:
        server.sql("CREATE DATABASE sbtest; CREATE TABLE sbtest.t (id INT PRIMARY KEY, v VARCHAR(100)) ENGINE=InnoDB;"
                   f"INSERT INTO sbtest.t SELECT seq, REPEAT('x', 60) FROM sbtest.seq_1_to_{ROWS}")
        file = replicas.WORK / "selects.sql"
        file.write_text(";".join(f"SELECT v FROM t WHERE id = {1 + i * 7919 % ROWS}" for i in range(2000)))
        for i, (name, (props, rules)) in enumerate(WAYS.items()):
            ways.append(Way(name, given.base_port + 1 + i, server, props, rules))
        rate = 0
        for _ in range(3):
            for way in ways:
                _, rate = measured(way, given.clients, 60000, file)
        queries = max(20000, int(rate * given.seconds))
        rounds = []
        for _ in range(given.rounds):
            rounds.append({way.name: measured(way, given.clients, queries, file) for way in ways})
    finally:
        for way in ways:
            way.stop()
        server.stop()
        shutil.rmtree(replicas.WORK, ignore_errors=True)
    good = True
    print(f"{given.rounds} rounds of {queries} point selects, {given.clients} clients\n")
    print("| way | CPU µs/query | queries/s | CPU of plain's (limit) | spread | queries/s of plain's |\n|---|---|---|---|---|---|")
    for name in WAYS:
        cpu = statistics.median(each[name][0] for each in rounds)
        rate = statistics.median(each[name][1] for each in rounds)
        ratios = sorted(each[name][0] / each["plain"][0] for each in rounds)
        ratio = statistics.median(ratios)
        speed = statistics.median(each[name][1] / each["plain"][1] for each in rounds)
        limit = LIMITS.get(name)
        good &= limit is None or ratio <= limit
        shown = f"{ratio:.3f}" + (f" ({limit})" if limit else "")
        print(f"| {name} | {cpu:.1f} | {rate:.0f} | {shown} | {ratios[0]:.3f}–{ratios[-1]:.3f} | {speed:.3f} |")
    return good


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
