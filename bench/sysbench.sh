#!/usr/bin/env bash
# One sysbench run, one line: tps,qps,avg_ms,p95_ms,errors,cpu_us_per_query
# usage: sysbench.sh PORT DB WORKLOAD THREADS SECONDS disable|auto [PID]
set -euo pipefail
port=$1 db=$2 workload=$3 threads=$4 seconds=$5 ps=$6 pid=${7:-}
ticks() { [ -n "$pid" ] && sed 's/.*) //' "/proc/$pid/stat" | awk '{print $12+$13}' || echo 0; }
options=(--db-driver=mysql --mysql-host=127.0.0.1 --mysql-port="$port" --mysql-db="$db" --mysql-user=test
  --mysql-password=test --mysql-ssl=off --db-ps-mode="$ps" --tables=4 --table-size="${TABLE_SIZE:-100000}"
  --rand-type=uniform --threads="$threads" --report-interval=0 --percentile=95 --mysql-ignore-errors="1213,1020,1205")
sysbench "oltp_$workload" "${options[@]}" --time="${WARMUP:-2}" run >/dev/null 2>&1 || true
before=$(ticks)
out=$(timeout $((seconds + 60)) sysbench "oltp_$workload" "${options[@]}" --time="$seconds" run 2>&1) ||
  { echo "failed: $(grep -m1 FATAL <<<"$out" | tr ',' ';')"; exit 1; }
after=$(ticks)
awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" '
  { gsub(/[()]/, "") }
  /^ *transactions:/ { tps = $3 }
  /^ *queries:/ { queries = $2; qps = $3 }
  /^ *ignored errors:/ { errors = $3 }
  /^ *avg:/ { avg = $2 }
  /^ *95th percentile:/ { p95 = $3 }
  END { printf "%s,%s,%s,%s,%s,%.1f\n", tps, qps, avg, p95, errors, ticks / hz * 1e6 / queries }' <<<"$out"
