#!/usr/bin/env python3
"""What a slow statement costs those beside it: point selects of many clients, alone and beside one that takes a second.

    bench/neighbours.py [--peers direct,haproxy,anabranch,shared] [--seconds 6] [--rounds 5] [--clients 64]

A further client asks for a row of a view again and again, twenty times one that is there at once, then one that takes a
second: the same statement by its shape, so that a proxy whose reads share connections has learned that it is short. The 99th
percentile of the others' point selects (text, the plain database) with it and without it, in turns; the ratio is that of
each round, its median counts. Exit code 1 where it is above 1.2 for `shared`.
"""

import argparse
import statistics
import subprocess
import sys
import threading

from run import HERE, Direct, Peer, figure, prepare, sysbench
from scenarios import Scenario

LIMIT = 1.2
VIEW = """
CREATE TABLE IF NOT EXISTS naps (id INT PRIMARY KEY, seconds DOUBLE NOT NULL);
REPLACE INTO naps VALUES (1, 1), (2, 0);
CREATE OR REPLACE VIEW napping AS SELECT id, SLEEP(seconds) AS slept FROM naps;
"""


class Slow:
    """Has a slow statement under way nearly always."""

    def __init__(self, place):
        port, database = place
        self.client = subprocess.Popen(
            ["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{port}", "-utest", "-ptest", "-nN", database],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.over = threading.Event()
        self.feeder = threading.Thread(target=self.feed)
        self.feeder.start()

    def feed(self):
        # a second of work is sent each second
        while not self.over.is_set():
            self.client.stdin.write("SELECT id, slept FROM napping WHERE id = 2;\n" * 20
                                    + "SELECT id, slept FROM napping WHERE id = 1;\n")
            self.client.stdin.flush()
            self.over.wait(1)

    def stop(self):
        self.over.set()
        self.feeder.join()
        self.client.stdin.close()
        self.client.wait()


def p99(place, options, seconds):
    scenario = Scenario("neighbours", "oltp_point_select", "", options=("--percentile=99",))
    done = sysbench(scenario, *place, "text", options.clients, seconds, options.size)
    found = figure(r"99th percentile: +([\d.]+)", done.stdout)
    if found is None:
        sys.exit(done.stdout + done.stderr)
    return found


def beside(place, options):
    slow = Slow(place)
    try:
        return p99(place, options, options.seconds)
    finally:
        slow.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", default="direct,haproxy,anabranch,shared")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--size", type=int, default=10000)
    options = parser.parse_args()
    peers = [Direct() if name == "direct" else Peer(name) for name in options.peers.split(",")]
    subprocess.run([HERE / "databases.sh", "start"], check=True)
    found = {peer.name: [] for peer in peers}
    try:
        for peer in peers:
            peer.call("start")
            prepare(peer, "plain", options.size)
        subprocess.run(["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{Direct().target('plain')[0]}", "-utest", "-ptest",
                        "sbtest"], input=VIEW, text=True, check=True)
        places = {peer.name: peer.target("plain") for peer in peers}
        for place in places.values():
            p99(place, options, 2 * options.seconds)
        for _ in range(options.rounds):
            for name, place in places.items():
                found[name].append((p99(place, options, options.seconds), beside(place, options)))
    finally:
        for peer in peers:
            peer.call("stop")
        subprocess.run([HERE / "databases.sh", "stop"], check=True)
    print(f"{options.rounds} rounds, {options.clients} clients, 99th percentile in ms\n")
    print("| peer | alone | beside a slow one | ratio | spread |\n|---|---|---|---|---|")
    good = True
    for name, pairs in found.items():
        ratios = sorted(with_slow / alone for alone, with_slow in pairs)
        ratio = statistics.median(ratios)
        good &= name != "shared" or ratio <= LIMIT
        alone, with_slow = (statistics.median(column) for column in zip(*pairs))
        print(f"| {name} | {alone:.2f} | {with_slow:.2f} | {ratio:.2f} | {ratios[0]:.2f}–{ratios[-1]:.2f} |")
    return good


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
