#!/usr/bin/env python3
"""What clients that do nothing cost: 500 active ones, without and with 10,000 idle ones beside them.

    bench/connections.py                             3 rounds of 8 seconds
    bench/connections.py --idle 2000 --active 100 --rounds 1

The proxy has the heap of conf/jvm.options. Point selects in text; each round measures without the idle clients, opens
them, measures with them, looks at every one of them with a ping and closes them. Prints medians: queries per second,
the proxy's CPU per query, heap in use after a collection, resident memory, descriptors. Needs a limit of descriptors
(ulimit -n) of more than the clients and 1,000. Exit 1 when a run had errors or an idle client was lost.
"""

import argparse
import asyncio
import hashlib
import os
import re
import resource
import statistics
import subprocess
import sys

from run import HERE, cpu_nanos, figure, prepare, sysbench, Direct
from scenarios import ALL

HOST, PORT, DATABASE = "127.0.0.1", 23307, "plain_db"
CLIENT_FLAGS = 0x00000001 | 0x00000008 | 0x00000200 | 0x00008000 | 0x00080000  # with database, 4.1, plugin
OPENED_AT_ONCE = 200


async def packet(reader):
    head = await reader.readexactly(4)
    return await reader.readexactly(int.from_bytes(head[:3], "little"))


def scramble(password, seed):
    """https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_authentication_methods_native_password_authentication.html"""
    once = hashlib.sha1(password).digest()
    salted = hashlib.sha1(seed + hashlib.sha1(once).digest()).digest()
    return bytes(a ^ b for a, b in zip(once, salted))


async def connect(gate):
    async with gate:
        reader, writer = await asyncio.open_connection(HOST, PORT, limit=4096)
        greeting = await packet(reader)
        at = greeting.index(0, 1) + 5
        seed = greeting[at:at + 8] + greeting[at + 27:at + 39]
        login = (CLIENT_FLAGS.to_bytes(4, "little") + (1 << 24).to_bytes(4, "little") + b"\x2d" + bytes(23)
                 + b"test\0" + b"\x14" + scramble(b"test", seed) + DATABASE.encode() + b"\0mysql_native_password\0")
        writer.write(len(login).to_bytes(3, "little") + b"\1" + login)
        answer = await packet(reader)
        if answer[0] == 0xFE:
            seed = answer[answer.index(0) + 1:].rstrip(b"\0")
            writer.write(b"\x14\0\0\3" + scramble(b"test", seed))
            answer = await packet(reader)
        if answer[0]:
            raise ConnectionError(f"login: {answer!r}")
        return reader, writer


async def answers(client, gate):
    async with gate:
        reader, writer = client
        writer.write(b"\1\0\0\0\x0e")
        return (await packet(reader))[0] == 0


def heap_used(pid):
    subprocess.run(["jcmd", pid, "GC.run"], check=True, capture_output=True)
    told = subprocess.run(["jcmd", pid, "GC.heap_info"], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"used (\d+)K", told).group(1)) / 1024


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024


class Run:
    """Active clients for some seconds."""

    def __init__(self, options, pid):
        scenario = next(s for s in ALL if s.name == "point_select")
        before = cpu_nanos([pid])
        done = sysbench(scenario, PORT, DATABASE, "text", options.active, options.seconds, 10000)
        self.queries = figure(r"queries: +(\d+)", done.stdout)
        self.failed = bool(done.returncode) or not self.queries
        if not self.failed:
            self.rate = figure(r"queries: +\d+ +\(([\d.]+)", done.stdout)
            self.cpu = (cpu_nanos([pid]) - before) / 1000 / self.queries


async def measure(options, pid, seen):
    gate = asyncio.Semaphore(OPENED_AT_ONCE)
    errors = 0
    for _ in range(options.rounds):
        for idle in (0, options.idle):
            clients = await asyncio.gather(*(connect(gate) for _ in range(idle)))
            run = Run(options, pid)
            alive = await asyncio.gather(*(answers(client, gate) for client in clients))
            errors += run.failed + alive.count(False)
            if not run.failed:
                seen.setdefault(idle, []).append(
                    (run.rate, run.cpu, heap_used(pid), resident(pid), len(os.listdir(f"/proc/{pid}/fd"))))
            for _, writer in clients:
                writer.close()
            while len(os.listdir(f"/proc/{pid}/fd")) > options.idle / 2 + 1000:
                await asyncio.sleep(0.2)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--active", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=8)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most < options.idle + options.active + 1000:
        sys.exit(f"ulimit -n is {most}: too few for {options.idle} idle and {options.active} active clients")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    subprocess.run([HERE / "databases.sh", "start"], check=True)
    prepare(Direct(), "plain", 10000)
    proxy = HERE / "peer-anabranch.sh"
    subprocess.run([proxy, "start"], check=True)
    seen = {}
    try:
        pid = subprocess.run([proxy, "pids"], check=True, capture_output=True, text=True).stdout.strip()
        sysbench(ALL[0], PORT, DATABASE, "text", 32, 12, 10000)
        errors = asyncio.run(measure(options, pid, seen))
    finally:
        subprocess.run([proxy, "stop"], check=True)
    print(f"{options.active} active clients, point select in text, {options.rounds} rounds, {errors} errors")
    for idle, figures in seen.items():
        rate, cpu, heap, rss, descriptors = (statistics.median(column) for column in zip(*figures))
        print(f"{idle:6} idle: {rate:8.0f} queries/s  {cpu:6.1f} µs CPU/query  heap {heap:5.0f} MB"
              f"  resident {rss:5.0f} MB  {descriptors:.0f} descriptors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
