#!/usr/bin/env python3
"""What a transaction costs: direct, through the proxy, over two data sources LOCAL and XA, side by side in one run.

    bench/transactions.py                 # 5 rounds of 400 transactions each, about a minute
    bench/transactions.py --proxy 3307    # a proxy that runs already, with a database `pair` as below

One connection at a time, so that the figures are latencies. Medians of the rounds' medians, in milliseconds.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE / "target" / "transactions"
ACCOUNT = ["-utest", "-ptest"]
ROWS = 1000

# label, through the proxy, data sources, type
CASES = (
    ("one data source, direct", False, 1, ""),
    ("one data source, LOCAL", True, 1, "LOCAL"),
    ("one data source, XA", True, 1, "XA"),
    ("two data sources, LOCAL", True, 2, "LOCAL"),
    ("two data sources, XA", True, 2, "XA"),
)


def sql(port, text):
    subprocess.run(["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{port}", *ACCOUNT, "-e", text], check=True)


def configuration(ports):
    conf = HOME / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    (conf / "global.yaml").write_text("""\
authority:
  users: [ { user: test@%, password: test, admin: true } ]
  privilege: { type: ALL_PERMITTED }
transaction:
  defaultType: LOCAL
  props: { cluster: bench, node: one, log-data-source: pair.ds_0 }
props: { proxy-admin-port: 0 }
""")
    sources = "".join(
        f'  ds_{i}: {{ url: "jdbc:mysql://127.0.0.1:{port}/pair?useSSL=false", username: test, password: test }}\n'
        for i, port in enumerate(ports))
    (conf / "database-pair.yaml").write_text("databaseName: pair\ndataSources:\n" + sources + """\
rules:
- !SHARDING
  tables:
    account:
      actualDataNodes: ds_${0..1}.account
      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
  shardingAlgorithms:
    halves: { type: MOD, props: { sharding-count: 2 } }
""")
    return conf


def start_proxy(port, ports):
    tarballs = sorted((HERE.parent / "distribution" / "target").glob("anabranch-*.tar.gz"))
    if not tarballs:
        sys.exit("no tarball: mvn -q -DskipTests package")
    HOME.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-xzf", tarballs[-1], "-C", HOME], check=True)
    root = next(HOME.glob("anabranch-*"))
    subprocess.run([root / "bin" / "start.sh", "-p", str(port), "-c", configuration(ports)], check=True)
    return root


def measure(port, database, sources, kind, events):
    done = subprocess.run(
        ["sysbench", HERE / "lua" / "transactions.lua", "--db-driver=mysql", "--mysql-host=127.0.0.1",
         f"--mysql-port={port}", "--mysql-user=test", "--mysql-password=test", f"--mysql-db={database}",
         "--threads=1", "--time=0", f"--events={events}", f"--rows={ROWS}", f"--sources={sources}",
         f"--type={kind}", "run"],
        capture_output=True, text=True, timeout=300, env={**os.environ, "LC_ALL": "C"})
    words = [line.split() for line in done.stdout.splitlines() if line.startswith("median ")]
    if done.returncode or not words:
        sys.exit(f"sysbench: {done.stdout}{done.stderr}")
    return float(words[0][1]) / 1000, float(words[0][2]) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proxy", type=int, help="port of a proxy that runs; user test/test")
    parser.add_argument("--databases", help="ports of two databases that run, with a comma; user test/test")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--events", type=int, default=400)
    given = parser.parse_args()
    ports = [int(port) for port in (given.databases or "23411,23421").split(",")]
    if given.proxy is None and given.databases is None:
        subprocess.run([HERE / "databases.sh", "start"], check=True, stdout=subprocess.DEVNULL)
    table = ("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL) ENGINE=InnoDB AS"
             f" SELECT seq AS id, 0 AS balance FROM seq_1_to_{ROWS}")
    for i, port in enumerate(ports):
        sql(port, f"CREATE DATABASE IF NOT EXISTS pair; USE pair; DROP TABLE IF EXISTS account; {table}"
                  f" WHERE seq % 2 = {i}")
    sql(ports[0], f"CREATE DATABASE IF NOT EXISTS plain_pair; USE plain_pair; DROP TABLE IF EXISTS account; {table}")
    proxy = given.proxy or 23317
    root = start_proxy(proxy, ports) if given.proxy is None else None
    try:
        figures = run(proxy, ports[0], given)
    finally:
        if root:
            subprocess.run([root / "bin" / "stop.sh"], check=True, stdout=subprocess.DEVNULL)
    print("| transaction | whole, ms | COMMIT, ms |\n|---|---|---|")
    middle = {}
    for label, rounds in figures.items():
        middle[label] = [statistics.median(each) for each in zip(*rounds)]
        print(f"| {label} | {middle[label][0]:.2f} | {middle[label][1]:.2f} |")
    local, xa = (middle[f"two data sources, {kind}"] for kind in ("LOCAL", "XA"))
    print(f"\nXA over two / LOCAL over two: whole {xa[0] / local[0]:.2f}, COMMIT {xa[1] / local[1]:.2f}")


def run(proxy, direct, given):
    figures = {label: [] for label, *_ in CASES}
    # the log is there within seconds, and a JIT compiler wants some hundreds of each
    time.sleep(3 if given.proxy is None else 0)
    for warm in (True, *[False] * given.rounds):
        for label, through, sources, kind in CASES:
            port, database = (proxy, "pair") if through else (direct, "plain_pair")
            figure = measure(port, database, sources, kind, given.events * (5 if warm and through else 1))
            if not warm:
                figures[label].append(figure)
    return figures


if __name__ == "__main__":
    main()
