#!/usr/bin/env bash
# Servers for the benchmarks, all on 127.0.0.1: A 23411, its replica 23412, B 23421.
# usage: databases.sh start|stop|pids
#        BENCH_SERVER=mysql: MySQL (8.4 or later) from the PATH in place of MariaDB, with data of its own
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
flavour=${BENCH_SERVER:-mariadb}
data=${BENCH_DATA:-$here/target/data}
[ "$flavour" = mariadb ] || data=$data-$flavour
mariadbd=$(command -v mariadbd || echo /usr/sbin/mariadbd)
run_as=$(id -un)
case $flavour in
  mariadb) ;;
  mysql) case $(mysqld --version) in *MariaDB* | '') echo "$0: no mysqld of MySQL on the PATH" >&2; exit 1 ;; esac ;;
  *) echo "$0: BENCH_SERVER is mariadb or mysql" >&2; exit 2 ;;
esac

sql() { mariadb --no-defaults -uroot --socket="$data/$1/server.sock" -NBe "$2"; }
pid_of() {
  local pid
  pid=$(cat "$data/$1/server.pid" 2>/dev/null) || return 0
  grep -qz -- "--datadir=$data/$1/data" "/proc/$pid/cmdline" 2>/dev/null && echo "$pid"
  return 0
}

initialize() { # directory
  case $flavour in
    mysql) mysqld --no-defaults --user="$run_as" --initialize-insecure --datadir="$1" ;;
    *) mariadb-install-db --no-defaults --user="$run_as" --datadir="$1" --auth-root-authentication-method=normal --skip-test-db ;;
  esac
}

launch() { # port domain extra-options...
  local port=$1 domain=$2 dir="$data/$1" server own
  shift 2
  if [ "$flavour" = mysql ]; then
    server=mysqld
    own=(--gtid-mode=ON --enforce-gtid-consistency=ON --mysqlx=OFF)
  else
    server=$mariadbd
    own=(--gtid-domain-id="$domain" --gtid-strict-mode=ON --query-cache-type=0 --binlog-format=ROW --log-slave-updates=ON)
  fi
  [ -z "$(pid_of "$port")" ] || return 0
  mkdir -p "$dir/tmp"
  # A server that starts removes temporary tables of others from a TMPDIR that they share.
  local -x TMPDIR=$dir/tmp
  [ -d "$dir/data/mysql" ] || initialize "$dir/data" >"$dir/install.log" 2>&1
  rm -f "$dir/server.pid"
  setsid "$server" --no-defaults --user="$run_as" --datadir="$dir/data" --socket="$dir/server.sock" \
    --pid-file="$dir/server.pid" --log-error="$dir/error.log" --bind-address=127.0.0.1 --port="$port" \
    --server-id="$port" --skip-name-resolve --max-connections=4000 --table-open-cache=10000 --open-files-limit=65535 --character-set-server=utf8mb4 \
    --innodb-buffer-pool-size=512M --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --sync-binlog=0 \
    --performance-schema=OFF --log-bin=binlog --max-prepared-stmt-count=1000000 --back-log=1000 --thread-cache-size=256 "${own[@]}" "$@" \
    >/dev/null 2>&1 </dev/null &
  for _ in $(seq 150); do
    if sql "$port" "SELECT 1" >/dev/null 2>&1; then break; fi
    sleep 0.2
  done
  sql "$port" "SET SESSION sql_log_bin=0; CREATE USER IF NOT EXISTS test@'%' IDENTIFIED BY 'test';
    GRANT ALL ON *.* TO test@'%' WITH GRANT OPTION; CREATE USER IF NOT EXISTS test@localhost IDENTIFIED BY 'test';
    GRANT ALL ON *.* TO test@localhost WITH GRANT OPTION;" ||
    { echo "database on $port did not start, see $dir/error.log" >&2; exit 1; }
  # MySQL lets who has logged in by TLS once in by a digest from then on: clients of benchmarks speak no TLS
  [ "$flavour" != mysql ] || mariadb --no-defaults -h127.0.0.1 -P"$port" -utest -ptest --ssl -e 'DO 0'
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
    launch 23412 1 --read-only=ON
    for port in 23411 23421; do sql "$port" "CREATE DATABASE IF NOT EXISTS sbtest; CREATE DATABASE IF NOT EXISTS sbtest_shard8;
      CREATE DATABASE IF NOT EXISTS sbtest_shard32; CREATE DATABASE IF NOT EXISTS sbtest_shard64"; done
    if [ ! -e "$data/23412/configured" ]; then
      if [ "$flavour" = mysql ]; then
        sql 23412 "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=23411, SOURCE_USER='test',
          SOURCE_PASSWORD='test', SOURCE_AUTO_POSITION=1, SOURCE_CONNECT_RETRY=1, GET_SOURCE_PUBLIC_KEY=1; START REPLICA"
      else
        sql 23412 "SET GLOBAL gtid_slave_pos=''; CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=23411,
          MASTER_USER='test', MASTER_PASSWORD='test', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1; START SLAVE"
      fi
      touch "$data/23412/configured"
    fi ;;
  stop) for port in 23412 23421 23411; do halt "$port"; done ;;
  pids) for port in 23411 23412 23421; do pid_of "$port"; done ;;
  *) echo "usage: $0 start|stop|pids" >&2; exit 2 ;;
esac
