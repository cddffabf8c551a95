#!/usr/bin/env bash
# The demo: two primaries with a replica each, a sharded shop, the proxy in front, and a short tour.
#
# usage: demo.sh          builds the tarball if there is none, starts all, shows the tour, leaves it running
#        demo.sh stop     ends all and deletes .demo/
#        DEMO_BASE_PORT=13300: the first of the hundred ports that it takes its own from
#        DEMO_SERVER=mysql: MySQL (8.4 or later) from the PATH in place of MariaDB
# needs: a JDK 25; Maven for the first build; MariaDB is taken from the PATH, else from Maven
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
work=$root/.demo
export ANABRANCH_LOG_DIR=$work/logs
base_port=${DEMO_BASE_PORT:-13300}
proxy_port=$((base_port + 90)) admin_port=$((base_port + 91))
# name:port:port of its primary (0: it is one)
a=$((base_port + 6)) b=$((base_port + 16))
nodes="primary_0:$a:0 replica_0:$((a + 1)):$a primary_1:$b:0 replica_1:$((b + 1)):$b"
user=shop password=shop-demo
flavour=${DEMO_SERVER:-mariadb}

say() { printf '\033[1m%s\033[0m\n' "$*"; }
started=false
die() {
  printf 'demo.sh: %s\n' "$*" >&2
  ! $started || echo "demo.sh: what has started stays; ./demo.sh goes on from there, ./demo.sh stop ends it" >&2
  exit 1
}
proxy_home() { local home; for home in "$work"/anabranch-*/; do [ -d "$home/bin" ] && { echo "${home%/}"; return; }; done; }

# --- what the machine must have
find_java() {
  local home
  for home in "${JAVA_HOME:-/nowhere}" /usr/lib/jvm/*25* /opt/java/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/lib/jvm/*; do
    if [ -x "$home/bin/javac" ]; then case $("$home/bin/javac" -version 2>&1) in 'javac 25'*) echo "$home"; return ;; esac; fi
  done
  if command -v javac >/dev/null; then case $(javac -version 2>&1) in 'javac 25'*) dirname "$(dirname "$(command -v javac)")" ;; esac; fi
}
find_mariadb() { # sets server, install, base
  local candidate
  base=
  for candidate in "$(command -v mariadbd)" /usr/sbin/mariadbd /usr/libexec/mariadbd /usr/local/bin/mariadbd /opt/homebrew/bin/mariadbd; do
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    install=$(command -v mariadb-install-db || command -v mysql_install_db) || continue
    server=$candidate
    return
  done
  server=$(find "$root/target/mariadb-binaries" -path '*/bin/mariadbd' 2>/dev/null | head -n 1)
  if [ -z "$server" ]; then
    say "No mariadbd on this machine: fetching the published binaries (150 MB, once)"
    command -v mvn >/dev/null || die "neither mariadbd nor mvn is on the PATH: install mariadb-server or Maven"
    (cd "$root" && mvn -q -B -N -DskipFormat -Pmariadb-binaries validate) || die "could not fetch the MariaDB binaries; install mariadb-server instead"
    server=$(find "$root/target/mariadb-binaries" -path '*/bin/mariadbd' | head -n 1)
    [ -n "$server" ] || die "the fetched binaries hold no mariadbd"
  fi
  base=$(dirname "$(dirname "$server")")
  install=$base/scripts/mariadb-install-db
  chmod +x "$base"/bin/* "$install"
}
find_mysql() { # sets server
  local candidate
  for candidate in "$(command -v mysqld)" /usr/sbin/mysqld /usr/local/mysql/bin/mysqld /opt/homebrew/bin/mysqld; do
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    case $("$candidate" --version) in *MariaDB*) continue ;; esac
    server=$candidate
    return
  done
  die "no mysqld of MySQL on the PATH: install MySQL, or leave DEMO_SERVER out to take MariaDB"
}
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# --- databases
node_pid() { # name: its pid if it is ours and runs
  local pid
  pid=$(cat "$work/$1/server.pid" 2>/dev/null) || return 0
  kill -0 "$pid" 2>/dev/null || return 0
  case $(ps -p "$pid" -o args= 2>/dev/null) in *"--datadir=$work/$1/data "*) echo "$pid" ;; esac
}
port_is_free() { # name port
  [ -n "$(node_pid "$1")" ] || ! listens "$2" \
    || die "port $2 is in use by something else: $1 of the demo needs it (DEMO_BASE_PORT chooses other ports)"
}
all_run() {
  local node
  for node in $nodes; do [ -n "$(node_pid "${node%%:*}")" ] || return 1; done
  [ -n "$home" ] && "$home/bin/status.sh" >/dev/null 2>&1
}
initialize() { # makes template.unfinished in the current directory
  if [ "$flavour" = mysql ]; then
    "$server" --no-defaults --initialize-insecure --skip-log-bin --datadir="$PWD/template.unfinished" "$@" \
      && rm "$PWD/template.unfinished/auto.cnf" # the server's identity: each makes its own
  else
    # By a relative name: the script does not take blanks in a path.
    "$install" --no-defaults ${base:+"--basedir=$base"} --datadir=./template.unfinished "$@" \
      --auth-root-authentication-method=normal --skip-test-db --innodb-log-file-size=16M
  fi
}
launch() { # name port primary
  local name=$1 port=$2 primary=$3 dir=$work/$1 read_only=OFF as_root=() own watch
  [ -z "$(node_pid "$name")" ] || return 0
  [ "$(id -u)" != 0 ] || as_root=(--user=root)
  [ "$primary" = 0 ] || read_only=ON
  if [ "$flavour" = mysql ]; then
    own=(--gtid-mode=ON --enforce-gtid-consistency=ON --innodb-redo-log-capacity=16M --mysqlx=OFF)
    watch="GRANT REPLICATION CLIENT, PROCESS ON *.* TO proxy@'%'; GRANT SELECT ON performance_schema.* TO proxy@'%';"
  else
    own=(--gtid-strict-mode=ON --log-slave-updates=ON --binlog-format=ROW --innodb-log-file-size=16M --performance-schema=OFF)
    watch="GRANT REPLICA MONITOR, PROCESS ON *.* TO proxy@'%';"
  fi
  if [ ! -d "$work/template" ]; then
    (cd "$work" && rm -rf template.unfinished && mkdir -p tmp && TMPDIR=$work/tmp initialize ${as_root[@]+"${as_root[@]}"}) >"$work/install.log" 2>&1 \
      || die "the first database could not be made, see $work/install.log"
    mv "$work/template.unfinished" "$work/template"
  fi
  if [ ! -d "$dir/data" ]; then
    mkdir -p "$dir" && cp -R "$work/template" "$dir/data" || die "cannot write $dir"
  fi
  # demo is this script's own, proxy what docs/security.md asks for; an init file has a statement in a line
  cat >"$dir/accounts.sql" <<SQL
SET sql_log_bin=0;
CREATE USER IF NOT EXISTS 'demo'@'%' IDENTIFIED BY 'demo';
GRANT ALL PRIVILEGES ON *.* TO 'demo'@'%';
CREATE DATABASE IF NOT EXISTS shop;
CREATE USER IF NOT EXISTS proxy@'%' IDENTIFIED BY 'proxy-demo';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE TEMPORARY TABLES, LOCK TABLES, EXECUTE, CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, EVENT, TRIGGER ON shop.* TO proxy@'%';
${watch/; /;
}
SQL
  mkdir -p "$dir/tmp"
  # The server's id is its port. A server that starts removes temporary tables of others from a TMPDIR that they share.
  TMPDIR=$dir/tmp nohup "$server" --no-defaults ${base:+"--basedir=$base"} ${as_root[@]+"${as_root[@]}"} --datadir="$dir/data" --socket=server.sock \
    --pid-file="$dir/database.pid" --init-file="$dir/accounts.sql" --bind-address=127.0.0.1 --port="$port" --server-id="$port" \
    --skip-name-resolve --character-set-server=utf8mb4 --log-bin=binlog --log-bin-trust-function-creators=ON \
    --read-only="$read_only" --innodb-buffer-pool-size=32M "${own[@]}" --innodb-flush-log-at-trx-commit=2 >"$dir/server.log" 2>&1 </dev/null &
  echo $! >"$dir/server.pid"
}
await() { # name port
  local i
  for i in $(seq 1 300); do
    listens "$2" && return 0
    [ -n "$(node_pid "$1")" ] || die "$1 ended at start: $(tail -n 3 "$work/$1/server.log")"
    sleep 0.1
  done
  die "$1 does not answer on port $2, see $work/$1/server.log"
}
sql() { # show|quiet port user password database file-or-statements
  "$java_home/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$work/classes:$driver" Sql "$@"
}
replicate() { # name port primary
  [ "$3" != 0 ] || return 0
  if [ "$flavour" = mysql ]; then
    sql quiet "$2" demo demo '' "STOP REPLICA;
CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=$3, SOURCE_USER='demo', SOURCE_PASSWORD='demo', SOURCE_AUTO_POSITION=1, SOURCE_CONNECT_RETRY=1, GET_SOURCE_PUBLIC_KEY=1;
START REPLICA;" || die "$1 does not follow its primary"
    return
  fi
  sql quiet "$2" demo demo '' "STOP SLAVE;
CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$3, MASTER_USER='demo', MASTER_PASSWORD='demo', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1;
START SLAVE;" || die "$1 does not follow its primary"
}
caught_up() { # name port primary
  local position told='SELECT @@gtid_binlog_pos' wait=MASTER_GTID_WAIT
  [ "$3" != 0 ] || return 0
  [ "$flavour" != mysql ] || { told='SELECT @@gtid_executed' wait=WAIT_FOR_EXECUTED_GTID_SET; }
  position=$(sql quiet "$3" demo demo '' "$told") || die "no answer from port $3"
  [ "$(sql quiet "$2" demo demo '' "SELECT $wait('$position', 30)")" = 0 ] || die "$1 is behind its primary"
}
each() { local node; for node in $nodes; do "$1" ${node//:/ } || exit 1; done; }

# --- proxy
configure() {
  mkdir -p "$work/conf"
  cat >"$work/conf/global.yaml" <<Y
authority:
  users:
    - { user: "$user@%", password: $password, admin: true }
  privilege: { type: ALL_PERMITTED }
props:
  proxy-default-port: $proxy_port
  proxy-admin-port: $admin_port
Y
  {
    echo "databaseName: shop"
    echo "dataSources:"
    for node in $nodes; do
      set -- ${node//:/ }
      echo "  $1: { url: \"jdbc:mysql://127.0.0.1:$2/shop?useSSL=false&allowPublicKeyRetrieval=true\", username: proxy, password: proxy-demo, maxPoolSize: 20, minPoolSize: 1 }"
    done
    cat "$root/demo/rules.yaml"
  } >"$work/conf/database-shop.yaml"
}
connect_line() {
  local client
  client=$(command -v mariadb || command -v mysql || echo mysql)
  say "Connect:  $(basename "$client") -h127.0.0.1 -P$proxy_port -u$user -p$password shop"
  echo "          try: EXPLAIN ROUTE SELECT COUNT(*) FROM t_order;   metrics: http://127.0.0.1:$admin_port/metrics"
  echo "          end: ./demo.sh stop"
}

start() {
  case $flavour in mariadb | mysql) ;; *) die "DEMO_SERVER is mariadb or mysql" ;; esac
  java_home=$(find_java)
  [ -n "$java_home" ] || die "no JDK 25 found: set JAVA_HOME, or install one, for instance from https://adoptium.net"
  export JAVA_HOME=$java_home
  home=$(proxy_home)
  if all_run; then
    say "The demo runs already."
    connect_line
    return
  fi
  tarball=$(ls "$root"/distribution/target/anabranch-*.tar.gz 2>/dev/null | tail -n 1)
  if [ -z "$tarball" ]; then
    command -v mvn >/dev/null || die "mvn is not on the PATH: needed to build the tarball (mvn -q -DskipTests package)"
    say "Building the tarball (the first time Maven fetches libraries)"
    (cd "$root" && mvn -q -B -Dquick -DskipTests package) || die "the build failed"
    tarball=$(ls "$root"/distribution/target/anabranch-*.tar.gz | tail -n 1)
  fi
  each port_is_free
  if [ -z "$home" ] || ! "$home/bin/status.sh" >/dev/null 2>&1; then
    ! listens $proxy_port || die "port $proxy_port is in use by something else: the proxy of the demo needs it (DEMO_BASE_PORT chooses other ports)"
    ! listens $admin_port || die "port $admin_port is in use by something else: the proxy's /metrics needs it (DEMO_BASE_PORT chooses other ports)"
    mkdir -p "$work" || die "cannot write $work"
    rm -rf "$work"/anabranch-*/
    tar -xzf "$tarball" -C "$work" || die "cannot unpack $tarball"
    home=$(proxy_home)
  fi
  "find_$flavour"
  mkdir -p "$work/classes"
  driver=$(ls "$home"/lib/mariadb-java-client-*.jar)
  "$java_home/bin/javac" -d "$work/classes" "$root/demo/Sql.java" || die "the demo's SQL client does not compile"

  say "Starting two primaries with a replica each ($("$server" --version | grep -o 'Ver [^ ]*'))"
  started=true
  each launch
  each await
  each replicate
  say "Starting the proxy"
  configure
  "$home/bin/start.sh" -c "$work/conf" || die "the proxy did not start"
  sql quiet $proxy_port $user $password shop "$root/demo/shop.sql" || die "the shop could not be made"
  each caught_up
  say "A short tour"
  sql show $proxy_port $user $password shop "$root/demo/tour.sql" || die "the tour failed"
  echo
  connect_line
}

stop() {
  local home node name pid i
  home=$(proxy_home)
  [ -z "$home" ] || "$home/bin/stop.sh" || die "the proxy does not end"
  for node in $nodes; do
    name=${node%%:*}
    pid=$(node_pid "$name")
    [ -z "$pid" ] || kill "$pid"
  done
  for node in $nodes; do
    name=${node%%:*}
    for i in $(seq 1 300); do [ -n "$(node_pid "$name")" ] || break; sleep 0.1; done
    [ -z "$(node_pid "$name")" ] || die "$name (pid $(node_pid "$name")) does not end"
  done
  rm -rf "$work"
  say "The demo has ended; .demo/ is gone."
}

case ${1:-start} in
  start) start ;;
  stop) stop ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
