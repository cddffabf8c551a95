#!/usr/bin/env bash
# MariaDB servers for the benchmarks, all on 127.0.0.1: A 23411, its replica 23412, B 23421.
# usage: databases.sh start|stop
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
data=${BENCH_DATA:-$here/target/data}
mariadbd=$(command -v mariadbd || echo /usr/sbin/mariadbd)
run_as=$(id -un)

sql() { mariadb --no-defaults -uroot --socket="$data/$1/server.sock" -NBe "$2"; }
pid_of() {
  local pid
  pid=$(cat "$data/$1/server.pid" 2>/dev/null) || return 0
  grep -qz -- "--datadir=$data/$1/data" "/proc/$pid/cmdline" 2>/dev/null && echo "$pid"
  return 0
}

launch() { # port domain extra-options...
  local port=$1 domain=$2 dir="$data/$1"
  shift 2
  [ -z "$(pid_of "$port")" ] || return 0
  mkdir -p "$dir/tmp"
  # A server that starts removes temporary tables of others from a TMPDIR that they share.
  local -x TMPDIR=$dir/tmp
  [ -d "$dir/data/mysql" ] || mariadb-install-db --no-defaults --user="$run_as" --datadir="$dir/data" \
    --auth-root-authentication-method=normal --skip-test-db >"$dir/install.log" 2>&1
  rm -f "$dir/server.pid"
  setsid "$mariadbd" --no-defaults --user="$run_as" --datadir="$dir/data" --socket="$dir/server.sock" \
    --pid-file="$dir/server.pid" --log-error="$dir/error.log" --bind-address=127.0.0.1 --port="$port" \
    --server-id="$port" --skip-name-resolve --max-connections=4000 --table-open-cache=10000 --open-files-limit=65535 --character-set-server=utf8mb4 \
    --innodb-buffer-pool-size=512M --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --sync-binlog=0 \
    --performance-schema=OFF --query-cache-type=0 --log-bin=binlog --binlog-format=ROW --gtid-domain-id="$domain" \
    --gtid-strict-mode=ON --max-prepared-stmt-count=1000000 --back-log=1000 --thread-cache-size=256 "$@" \
    >/dev/null 2>&1 </dev/null &
  for _ in $(seq 150); do
    if sql "$port" "SELECT 1" >/dev/null 2>&1; then break; fi
    sleep 0.2
  done
  sql "$port" "SET SESSION sql_log_bin=0; CREATE USER IF NOT EXISTS test@'%' IDENTIFIED BY 'test';
    GRANT ALL ON *.* TO test@'%' WITH GRANT OPTION; CREATE USER IF NOT EXISTS test@localhost IDENTIFIED BY 'test';
    GRANT ALL ON *.* TO test@localhost WITH GRANT OPTION;" ||
    { echo "database on $port did not start, see $dir/error.log" >&2; exit 1; }
}

halt() {
  local pid
  pid=$(pid_of "$1")
  [ -n "$pid" ] || return 0
  kill "$pid"
  for _ in $(seq 300); do [ -d "/proc/$pid" ] || return 0; sleep 0.1; done
  echo "database on $1 (pid $pid) did not stop" >&2
}

case ${1:-} in
  start)
    launch 23411 1
    launch 23421 2
    launch 23412 1 --read-only=ON --log-slave-updates=ON
    for port in 23411 23421; do sql "$port" "CREATE DATABASE IF NOT EXISTS sbtest; CREATE DATABASE IF NOT EXISTS sbtest_shard8;
      CREATE DATABASE IF NOT EXISTS sbtest_shard32; CREATE DATABASE IF NOT EXISTS sbtest_shard64"; done
    if [ ! -e "$data/23412/configured" ]; then
      sql 23412 "SET GLOBAL gtid_slave_pos=''; CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=23411,
        MASTER_USER='test', MASTER_PASSWORD='test', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1; START SLAVE"
      touch "$data/23412/configured"
    fi ;;
  stop) for port in 23412 23421 23411; do halt "$port"; done ;;
  *) echo "usage: $0 start|stop" >&2; exit 2 ;;
esac
