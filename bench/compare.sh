#!/usr/bin/env bash
# Interleaved rounds of sysbench over direct, HAProxy and Anabranch; medians and ratios to HAProxy.
# usage: compare.sh [WORKLOAD...]   (default: point_select read_write)
# env: ROUNDS (3)  SECONDS_EACH (8)  THREADS (64)  PS_MODES ("disable auto")  PEERS ("haproxy anabranch")  KEEP=1 leaves all running
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rounds=${ROUNDS:-3} seconds=${SECONDS_EACH:-8}
workloads=("$@"); [ $# -gt 0 ] || workloads=(point_select read_write)
mkdir -p "$here/target"
csv=$here/target/results.csv
finish() {
  [ -z "${KEEP:-}" ] || return 0
  for peer in ${PEERS:-haproxy anabranch}; do "$here/peer-$peer.sh" stop || true; done
  "$here/databases.sh" stop
}
trap finish EXIT
"$here/databases.sh" start
for peer in ${PEERS:-haproxy anabranch}; do "$here/peer-$peer.sh" start; done

load() { # port db extra...
  sysbench oltp_common --db-driver=mysql --mysql-host=127.0.0.1 --mysql-port="$1" --mysql-db="$2" --mysql-user=test \
    --mysql-password=test --mysql-ssl=off --db-ps-mode=disable --tables=4 --table-size="${TABLE_SIZE:-100000}" --threads=4 "${@:3}"
}
if ! mariadb --no-defaults -h127.0.0.1 -P23411 -utest -ptest -NBe "SELECT COUNT(*) FROM sbtest.sbtest4" >/dev/null 2>&1; then
  load 23411 sbtest prepare >/dev/null
fi
if ! mariadb --no-defaults -h127.0.0.1 -P23307 -utest -ptest shard_db -NBe "SELECT COUNT(*) FROM sbtest4" >/dev/null 2>&1; then
  load 23307 shard_db --auto_inc=off prepare >/dev/null
fi

echo "round,peer,db,workload,ps_mode,threads,tps,qps,avg_ms,p95_ms,errors,cpu_us_per_query" >"$csv"
# peer:port:database
targets=(direct:23411:sbtest haproxy:23501:sbtest anabranch:23307:plain_db anabranch:23307:rw_db anabranch:23307:shard_db)
# a JIT compiler wants its warm-up before any figure is believed
for target in "${targets[@]:2}"; do
  IFS=: read -r _ port db <<<"$target"
  for ps in ${PS_MODES:-disable auto}; do WARMUP=8 "$here/sysbench.sh" "$port" "$db" "${workloads[0]}" 16 2 "$ps" >/dev/null || true; done
done
for round in $(seq "$rounds"); do
  for workload in "${workloads[@]}"; do
    for ps in ${PS_MODES:-disable auto}; do
      for threads in ${THREADS:-64}; do
        for target in "${targets[@]}"; do
          IFS=: read -r peer port db <<<"$target"
          pid=""; [ "$peer" = direct ] || pid=$("$here/peer-$peer.sh" pid)
          line=$("$here/sysbench.sh" "$port" "$db" "$workload" "$threads" "$seconds" "$ps" "$pid") || true
          echo "$round,$peer,$db,$workload,$ps,$threads,$line" | tee -a "$csv"
        done
      done
    done
  done
done

python3 - "$csv" >"$here/target/summary.md" <<'PY'
import csv, statistics, sys
runs = {}
for row in csv.DictReader(open(sys.argv[1])):
    key = (row["workload"], row["ps_mode"], row["threads"])
    cell = runs.setdefault(key, {}).setdefault((row["peer"], row["db"]), [])
    cell.append(None if row["tps"].startswith("failed") else (float(row["qps"]), float(row["cpu_us_per_query"]), int(row["errors"])))
print("| workload | protocol | threads | peer | qps | of HAProxy | CPU µs/query | of HAProxy | errors |\n|---|---|---|---|---|---|---|---|---|")
for key, peers in runs.items():
    median = {p: [statistics.median(v[i] for v in c) for i in (0, 1, 2)] for p, c in peers.items() if all(c)}
    floor = next((m for p, m in median.items() if p[0] == "haproxy"), None)
    for peer in peers:
        name = peer[0] if peer[0] in ("direct", "haproxy") else f"{peer[0]} {peer[1]}"
        if peer not in median:
            print("|", " | ".join((*key, name, "failed", "", "", "", "")), "|")
            continue
        qps, cpu, errors = median[peer]
        of = lambda value, base: f"{value / base:.2f}" if floor and base else ""
        print("|", " | ".join((*key, name, f"{qps:.0f}", of(qps, floor and floor[0]), f"{cpu:.1f}" if cpu else "",
                              of(cpu, floor and floor[1]) if cpu else "", f"{errors:.0f}")), "|")
PY
cat "$here/target/summary.md"
