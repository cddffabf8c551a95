#!/usr/bin/env python3
"""Read/write splitting over a primary and two replicas of its own, and the built tarball.

    bench/replicas.py split [--base-port 24410] [--seconds 10] [--threads 8]
    bench/replicas.py cost  [--base-port 24410] [--seconds 10] [--rounds 3]
    bench/replicas.py scale [--base-port 24410] [--seconds 10] [--rounds 3] [--share 0.2]

`split`: the published scenario (lua/split.lua) with one and two replicas, and a planned switch-over under it. Says for each
run where statements ran, by the databases' own counters: reads outside of transactions must be on replicas, transactions
on the primary, errors none. Exit code 1 if that was not so.

`cost`: point selects on one replica by pass-through, by a group, and by a group with SESSION consistency, whose sessions have
written (lua/after_write.lua), in turns: the proxy's CPU per query (limit: 2 µs more than pass-through) and latency (limit: 1.15 times EVENTUAL's).

`scale`: what a second replica brings to prepared reads outside of transactions (oltp_read_only --skip-trx), with each replica held to
a share of a core by control groups, so that neither the machine nor the proxy is the limit. Says for each run how many queries
each member had, and what CPU members and proxy took. Exit code 1 below 1.8 times, when replicas differ by a tenth, or when the primary was read.

Servers are on ports base, +1, +2, the proxy on +7. Everything is ended and deleted afterwards.
"""

import argparse
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import threading
import time

from run import cpu_nanos
from shares import Share

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE / "target" / "replicas"
# Of one event of split.lua: SELECTs outside of its transaction; inside, with the proxy's question for LAST_INSERT_ID()
# after an INSERT that names its key; UPDATEs.
OUTSIDE, INSIDE, UPDATES = 13, 2, 2
SCALED_CLIENTS = 32
MARIADBD = shutil.which("mariadbd") or "/usr/sbin/mariadbd"


class Server:
    def __init__(self, name, port):
        self.name, self.port, self.directory = name, port, WORK / name
        self.directory.mkdir(parents=True)
        data = self.directory / "data"
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--user={user}", f"--datadir={data}", "--skip-test-db",
                        "--auth-root-authentication-method=normal"], check=True, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen(
            [MARIADBD, "--no-defaults", f"--user={user}", f"--datadir={data}", f"--socket={self.directory}/s.sock",
             f"--log-error={self.directory}/error.log", "--bind-address=127.0.0.1", f"--port={port}",
             f"--server-id={port}", "--skip-name-resolve", "--innodb-buffer-pool-size=128M",
             "--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0", "--performance-schema=OFF", "--log-bin=binlog",
             "--binlog-format=ROW", "--log-slave-updates=ON", "--rpl-semi-sync-slave-enabled=ON"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            if self.sql("SELECT 1", check=False) == "1":
                break
            time.sleep(0.1)
        self.sql("SET sql_log_bin=0; CREATE USER test@'%' IDENTIFIED BY 'test'; GRANT ALL ON *.* TO test@'%';"
                 "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'; GRANT ALL ON sbtest.* TO proxy@'%';"
                 "GRANT REPLICA MONITOR ON *.* TO proxy@'%'")

    def sql(self, text, check=True):
        done = subprocess.run(["mariadb", "--no-defaults", "-uroot", f"--socket={self.directory}/s.sock", "-NBe", text],
                              capture_output=True, text=True)
        if check and done.returncode:
            raise SystemExit(f"{self.name}: {text}: {done.stderr}")
        return done.stdout.strip()

    def follow(self, primary):
        self.sql("STOP SLAVE; SET GLOBAL read_only=ON; SET GLOBAL rpl_semi_sync_master_enabled=OFF;"
                 f"CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={primary.port}, MASTER_USER='test',"
                 "MASTER_PASSWORD='test', MASTER_USE_GTID=current_pos, MASTER_CONNECT_RETRY=1; START SLAVE")

    def promote(self):
        self.sql("STOP SLAVE; RESET SLAVE ALL; SET GLOBAL rpl_semi_sync_master_enabled=ON; SET GLOBAL read_only=OFF")

    def catch_up(self, primary):
        position = primary.sql("SELECT @@gtid_binlog_pos")
        if self.sql(f"SELECT MASTER_GTID_WAIT('{position}', 60)") != "0":
            raise SystemExit(f"{self.name} did not reach {position}")

    def counters(self):
        wanted = "'COM_SELECT','COM_UPDATE','COM_DELETE','COM_INSERT','COM_COMMIT','COM_SHOW_SLAVE_STATUS'"
        rows = self.sql("SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
                        f" WHERE VARIABLE_NAME IN ({wanted})").splitlines()
        counts = {row.split("\t")[0]: int(row.split("\t")[1]) for row in rows}
        probes = counts.pop("COM_SHOW_SLAVE_STATUS")
        # Each of the proxy's questions for the member's health is one SELECT and one SHOW; so is this look.
        counts["COM_SELECT"] -= probes + 1
        return counts

    def cpu_seconds(self):
        return cpu_nanos([self.process.pid]) / 1e9

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class Proxy:
    def __init__(self, port, databases):
        """databases: texts of database files"""
        tarball = sorted(glob.glob(str(HERE.parent / "distribution/target/anabranch-*.tar.gz")))
        if not tarball:
            raise SystemExit("no tarball: mvn -q -DskipTests package")
        self.home = self.prepare()
        shutil.rmtree(self.home, ignore_errors=True)
        with tarfile.open(tarball[-1]) as archive:
            archive.extractall(self.home, filter="data")
        self.root = next(self.home.glob("anabranch-*"))
        conf = self.home / "conf"
        conf.mkdir()
        (conf / "global.yaml").write_text(self.settings())
        for i, text in enumerate(databases):
            (conf / f"database-{i}.yaml").write_text(text)
        self.port = port
        subprocess.run([self.root / "bin/start.sh", "-p", str(port), "-c", conf], check=True, stdout=subprocess.DEVNULL)
        self.pid = int((self.root / "logs/anabranch.pid").read_text())

    def prepare(self):
        """Where it is unpacked."""
        return WORK / "proxy"

    def settings(self):
        """The global file."""
        return ("authority:\n  users: [{ user: test@%, password: test, admin: true }]\n"
                "  privilege: { type: ALL_PERMITTED }\nprops: { proxy-admin-port: 0 }\n")

    def cpu_seconds(self):
        return cpu_nanos([self.pid]) / 1e9

    def sql(self, text):
        return subprocess.run(["mariadb", "--no-defaults", "-h127.0.0.1", f"-P{self.port}", "-utest", "-ptest",
                               "-NBe", text], check=True, capture_output=True, text=True).stdout

    def await_members(self, count, database="sbtest"):
        for _ in range(300):
            status = self.sql(f"USE {database}; SHOW STATUS FROM READWRITE_SPLITTING RULES")
            if status.count("\tONLINE\twrites\t") == 1 and status.count("\tONLINE\treads\t") == count:
                return
            time.sleep(0.1)
        raise SystemExit("members are not as they should be:\n" + status)

    def stop(self):
        subprocess.run([self.root / "bin/stop.sh"], check=True, stdout=subprocess.DEVNULL)


def sources(servers):
    return "dataSources:\n" + "".join(
        f'  {each.name}: {{ url: "jdbc:mysql://127.0.0.1:{each.port}/sbtest", username: proxy, password: proxy, maxPoolSize: 64 }}\n'
        for each in servers)


def group(database, primary, replicas, *keys):
    """The text of a database file with one group, g."""
    return (f"databaseName: {database}\n{sources([primary] + replicas)}rules:\n- !READWRITE_SPLITTING\n  dataSourceGroups:\n"
            f"    g:\n      writeDataSourceName: {primary.name}\n"
            f"      readDataSourceNames: [{', '.join(each.name for each in replicas)}]\n"
            "      healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000 }\n"
            "      discovery: { type: REPLICATION, holdWritesMilliseconds: 30000 }\n"
            + "".join(f"      {key}\n" for key in keys))


def sysbench(command, port, options, program="split.lua", database="sbtest"):
    if program.endswith(".lua"):
        program = str(HERE / "lua" / program)
    return subprocess.run(
        ["sysbench", program, "--mysql-host=127.0.0.1", f"--mysql-port={port}", "--mysql-user=test",
         "--mysql-password=test", f"--mysql-db={database}", "--tables=2", "--table-size=20000", "--rand-type=uniform",
         "--db-ps-mode=disable", "--report-interval=0"]
        + options + [command], capture_output=True, text=True, cwd=HERE / "lua")


def figure(output, name):
    line = next(line for line in output.splitlines() if line.strip().startswith(name))
    return int(line.split(":")[1].split("(")[0])


def run(port, members, options):
    """One run of sysbench; what each member did meanwhile."""
    before = {each.name: each.counters() for each in members}
    done = sysbench("run", port, options)
    if done.returncode:
        print(done.stdout + done.stderr)
        raise SystemExit("sysbench failed: an error reached a client")
    after = {each.name: each.counters() for each in members}
    counts = {name: {key: after[name][key] - before[name][key] for key in after[name]} for name in after}
    for name, count in counts.items():
        print(f"  {name}: " + ", ".join(f"{key[4:].lower()} {value}" for key, value in sorted(count.items())))
    events = figure(done.stdout, "transactions")
    deadlocks = figure(done.stdout, "ignored errors")
    reconnects = figure(done.stdout, "reconnects")
    print(f"  {events} transactions, {deadlocks} deadlocks, {reconnects} reconnects, no other error")
    return events, deadlocks, counts


def expect(what, found, wanted, slack):
    is_so = abs(found - wanted) <= slack
    print(f"  {'ok  ' if is_so else 'FAIL'} {what}: {found}, expected {wanted}" + (f" ± {slack}" if slack else ""))
    return is_so


def at_most(what, found, limit):
    is_so = found <= limit
    print(f"  {'ok  ' if is_so else 'FAIL'} {what}: {found}, at most {limit}")
    return is_so


def steady(proxy, primary, replicas, options):
    print(f"{len(replicas)} replica(s):")
    events, deadlocks, counts = run(proxy.port, [primary] + replicas, options)
    # Questions for the health that were under way at either end; what ran of transactions that met a deadlock.
    slack = 8 + OUTSIDE * deadlocks
    own = counts[primary.name]
    good = expect("reads on replicas", sum(counts[each.name]["COM_SELECT"] for each in replicas), events * OUTSIDE, slack)
    good &= at_most("reads on the primary, in transactions", own["COM_SELECT"], events * INSIDE + slack)
    good &= expect("updates on the primary", own["COM_UPDATE"], events * UPDATES, UPDATES * deadlocks)
    return good


def switch_over(proxy, old, new, other, options):
    print(f"planned switch-over from {old.name} to {new.name} under load:")
    outcome = {}
    load = threading.Thread(target=lambda: outcome.update(zip(("events", "deadlocks", "counts"),
                                                              run(proxy.port, [old, new, other], options))))
    load.start()
    time.sleep(2)
    proxy.sql(f"USE sbtest; ALTER READWRITE_SPLITTING RULE g DISABLE {old.name}")
    open_ones = ("SELECT COUNT(*) FROM information_schema.innodb_trx JOIN information_schema.processlist"
                 " ON id = trx_mysql_thread_id WHERE user = 'proxy'")
    while old.sql(open_ones) != "0":
        time.sleep(0.1)
    began = time.monotonic()
    old.sql("SET GLOBAL read_only=ON")
    new.catch_up(old)
    new.promote()
    old.follow(new)
    other.follow(new)
    print(f"  {new.name} was promoted in {time.monotonic() - began:.2f} s")
    proxy.sql(f"USE sbtest; ALTER READWRITE_SPLITTING RULE g ENABLE {old.name}")
    load.join()
    if "events" not in outcome:
        return False
    writer = int(new.sql("SELECT @@gtid_binlog_pos").split("-")[1])
    good = expect("the server that writes", writer, new.port, 0)
    old.catch_up(new)
    sums = [each.sql("CHECKSUM TABLE sbtest.sbtest1, sbtest.sbtest2") for each in (old, new)]
    good &= expect("whether tables differ", int(sums[0] != sums[1]), 0, 0)
    return good


def split(servers, port, options):
    a, b, c = servers
    good = True
    for replicas in ([b], [b, c]):
        for each in replicas:
            each.catch_up(a)
        proxy = Proxy(port, [group("sbtest", a, replicas)])
        try:
            proxy.await_members(len(replicas))
            good &= steady(proxy, a, replicas, options)
            if len(replicas) == 2:
                good &= switch_over(proxy, a, b, c, options)
        finally:
            proxy.stop()
    print("all well" if good else "NOT well")
    return good


KINDS = {"pass-through": "plain", "group, EVENTUAL": "rw", "group, SESSION": "session"}


def measured(proxy, database, options):
    """Microseconds of the proxy's CPU per query, and of latency."""
    before = proxy.cpu_seconds()
    first = "off" if database == "plain" else "on"
    done = sysbench("run", proxy.port, options + [f"--writes_first={first}"], "after_write.lua", database)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    queries = figure(done.stdout, "total:")
    average = next(line for line in done.stdout.splitlines() if line.strip().startswith("avg:"))
    return (proxy.cpu_seconds() - before) / queries * 1e6, float(average.split(":")[1]) * 1000


def cost(servers, port, seconds, rounds):
    a, b, _ = servers
    b.catch_up(a)
    # Writes of the measured sessions go through the group; pass-through reads the same replica.
    proxy = Proxy(port, [f"databaseName: plain\n{sources([b])}rules: []\n", group("rw", a, [b]),
                         group("session", a, [b], "readConsistency: SESSION")])
    figures = {kind: {1: [], 16: []} for kind in KINDS}
    try:
        for warm in KINDS.values():
            measured(proxy, warm, ["--threads=16", f"--time={seconds}"])
        for each in range(rounds):
            for threads in (1, 16):
                for kind, database in KINDS.items():
                    figures[kind][threads].append(measured(proxy, database, [f"--threads={threads}", f"--time={seconds}"]))
    finally:
        proxy.stop()
    medians = {}
    print("| point select | CPU µs/query, 16 clients | latency µs, 1 client | latency µs, 16 clients |\n|---|---|---|---|")
    for kind, runs in figures.items():
        middle = [sorted(values)[len(values) // 2] for values in
                  ([cpu for cpu, _ in runs[16]], [late for _, late in runs[1]], [late for _, late in runs[16]])]
        medians[kind] = middle
        print(f"| {kind} | {middle[0]:.1f} | {middle[1]:.0f} | {middle[2]:.0f} |")
    plain, eventual, session = (medians[kind] for kind in KINDS)
    print(f"splitting adds {eventual[0] - plain[0]:+.1f} µs of CPU per query (limit 2)")
    print(f"SESSION takes {session[1] / eventual[1]:.2f} times EVENTUAL with 1 client, {session[2] / eventual[2]:.2f} with 16 (limit 1.15)")
    return eventual[0] - plain[0] <= 2 and session[1] / eventual[1] <= 1.15 and session[2] / eventual[2] <= 1.15


def scale(servers, port, seconds, rounds, share):
    primary, *replicas = servers
    for each in replicas:
        each.catch_up(primary)
    groups = {"one": replicas[:1], "two": replicas}
    proxy = Proxy(port, [group(database, primary, members) for database, members in groups.items()])
    rates = {database: [] for database in groups}
    shares = []
    good = True
    try:
        for database, members in groups.items():
            proxy.await_members(len(members), database)
            scaled(proxy, servers, database, seconds)
        shares = [Share(f"replica_{each.name}", share, each.process.pid) for each in replicas]
        for _ in range(rounds):
            for database, members in groups.items():
                rate, counts = scaled(proxy, servers, database, seconds)
                rates[database].append(rate)
                read = [counts[each.name] for each in members]
                good &= at_most("reads on the primary", counts[primary.name], 8)
                good &= at_most("what a replica had more than another (percent)", round(max(read) * 100 / min(read) - 100), 10)
    finally:
        proxy.stop()
        for each in replicas:
            each.stop()
        for each in shares:
            each.end()
    one, two = (sorted(of)[len(of) // 2] for of in rates.values())
    print(f"replicas with {share} of a core each, {SCALED_CLIENTS} clients: {one:.0f} queries/s with one,"
          f" {two:.0f} with two: {two / one:.2f} times (wanted 1.8)")
    return good and two / one >= 1.8


def scaled(proxy, members, database, seconds):
    """Queries per second, and SELECTs by member."""
    options = ["--skip-trx=on", "--db-ps-mode=auto", f"--threads={SCALED_CLIENTS}", f"--time={seconds}"]
    before = {each.name: each.counters()["COM_SELECT"] for each in members}
    used = {each.name: each.cpu_seconds() for each in members} | {"proxy": proxy.cpu_seconds()}
    done = sysbench("run", proxy.port, options, "oltp_read_only", database)
    if done.returncode or figure(done.stdout, "ignored errors"):
        raise SystemExit(done.stdout + done.stderr)
    counts = {each.name: each.counters()["COM_SELECT"] - before[each.name] for each in members}
    cores = {each.name: each.cpu_seconds() - used[each.name] for each in members}
    cores["proxy"] = proxy.cpu_seconds() - used["proxy"]
    rate = figure(done.stdout, "total:") / seconds
    print(f"  {database}: {rate:.0f} queries/s; SELECTs " + ", ".join(f"{name} {count}" for name, count in counts.items())
          + "; cores " + ", ".join(f"{name} {value / seconds:.2f}" for name, value in cores.items()))
    return rate, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("split", "cost", "scale"))
    parser.add_argument("--base-port", type=int, default=24410)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.2, help="of a core, for each replica")
    arguments = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    servers = []
    try:
        for i, name in enumerate("abc"):
            servers.append(Server(name, arguments.base_port + i))
        a, b, c = servers
        a.sql("CREATE DATABASE sbtest")
        b.follow(a)
        c.follow(a)
        a.sql("SET GLOBAL rpl_semi_sync_master_enabled=ON")
        prepared = sysbench("prepare", a.port, [])
        if prepared.returncode:
            raise SystemExit(prepared.stdout + prepared.stderr)
        port = arguments.base_port + 7
        if arguments.what == "split":
            good = split(servers, port, [f"--time={arguments.seconds}", f"--threads={arguments.threads}"])
        elif arguments.what == "scale":
            good = scale(servers, port, arguments.seconds, arguments.rounds, arguments.share)
        else:
            good = cost(servers, port, arguments.seconds, arguments.rounds)
    finally:
        for each in servers:
            each.stop()
        shutil.rmtree(WORK, ignore_errors=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
