#!/usr/bin/env python3
"""What more cores and more proxies bring, on a machine that has few: each proxy process gets a share of CPU time.

    bench/scaling.py                      shares of a fifth of a core, 3 rounds
    bench/scaling.py --share 0.15 --rounds 5 --seconds 6

Control groups (version 1, as root) hold each process to so many "cores" of a share each, with as many event loops. So
databases and clients never are the limit, and what is left to see is what event loops and proxies cost each other. Point
selects in text, 64 clients. Prints medians of queries per second, and their ratio to one loop of one proxy. Exit 1
when a run had errors.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

from run import HERE, figure, prepare, sysbench, Direct
from scenarios import ALL
from shares import Share

CLIENTS = 64
BALANCED_PORT = 23502


class Proxy:
    """One of ours with some event loops, held to some share of a core."""

    def __init__(self, name, port, loops):
        self.name, self.port, self.loops = name, port, loops
        self.share = None

    def call(self, verb):
        environment = os.environ | {"HOME_NAME": self.name, "PORT": str(self.port), "LOOPS": str(self.loops)}
        done = subprocess.run([HERE / "peer-anabranch.sh", verb], capture_output=True, text=True, env=environment,
                              timeout=120)
        if done.returncode:
            sys.exit(f"{self.name} {verb}: {done.stdout}{done.stderr}")
        return done.stdout

    def hold(self, share):
        self.share = Share(self.name, share * self.loops, self.call("pids").strip())

    def end(self):
        self.call("stop")
        if self.share:
            self.share.end()


def balance(proxies):
    """HAProxy before them, without a share of its own: it must not be the limit."""
    home = HERE / "target" / "scaling-balancer"
    home.mkdir(parents=True, exist_ok=True)
    servers = "\n".join(f"    server {proxy.name} 127.0.0.1:{proxy.port}" for proxy in proxies)
    (home / "haproxy.cfg").write_text(f"""\
global
    nbthread 1
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
listen mysql
    bind 127.0.0.1:{BALANCED_PORT}
    balance leastconn
{servers}
""")
    program = next(p for p in ("/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "haproxy") if Path(p).exists() or p == "haproxy")
    return subprocess.Popen([program, "-db", "-f", home / "haproxy.cfg"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=0.2, help="of a real core, for each core of the simulation")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    options = parser.parse_args()
    point_select = next(s for s in ALL if s.name == "point_select")
    subprocess.run([HERE / "databases.sh", "start"], check=True)
    prepare(Direct(), "plain", 10000)
    one, two, three, other = (Proxy("scaling_one", 23317, 1), Proxy("scaling_two", 23327, 2),
                              Proxy("scaling_three", 23337, 3), Proxy("scaling_other", 23347, 1))
    proxies = (one, two, three, other)
    balancer = None
    errors = 0
    seen = {}
    try:
        for proxy in proxies:
            proxy.call("start")
            sysbench(point_select, proxy.port, "plain_db", "text", 16, 12, 10000)
            proxy.hold(options.share)
        balancer = balance((one, other))
        places = (("1 proxy, 1 loop", one.port), ("1 proxy, 2 loops", two.port), ("1 proxy, 3 loops", three.port),
                  ("2 proxies, 1 loop each, balanced", BALANCED_PORT))
        for _ in range(options.rounds):
            for name, port in places:
                done = sysbench(point_select, port, "plain_db", "text", CLIENTS, options.seconds, 10000)
                rate = figure(r"queries: +\d+ +\(([\d.]+)", done.stdout)
                if done.returncode or not rate:
                    errors += 1
                    continue
                seen.setdefault(name, []).append(rate)
    finally:
        if balancer:
            balancer.terminate()
            balancer.wait()
        for proxy in proxies:
            proxy.end()
    first = statistics.median(seen["1 proxy, 1 loop"])
    print(f"shares of {options.share} of a core, {CLIENTS} clients, point select in text, {options.rounds} rounds")
    for name, rates in seen.items():
        print(f"{name:34} {statistics.median(rates):8.0f} queries/s   {statistics.median(rates) / first:.2f}")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
