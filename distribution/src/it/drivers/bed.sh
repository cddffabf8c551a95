#!/usr/bin/env bash
# What the driver suites run against: two equal MariaDB or MySQL servers and a proxy in front of the second one.
#
# usage: bed.sh start | stop
#
# The first server is asked directly. Behind the proxy the second one holds the same databases, each a
# pass-through database of the same name (drivers, test_schema, other, tools), and `shards`: the tables named
# sharded_* over four databases. Nothing listens on other addresses than loopback.
#
# environment:
#   BED_LAYOUT how databases stand behind the proxy: same (each over the schema of its name), renamed (each over a
#              schema of another name, on a server that has one of its name too), split (reads go to a replica: the
#              same server)
#   BED_DIR    where data, logs and results go (target/drivers of the module)
#   BED_PORT   the first of four ports: direct server, server behind, proxy, its admin page (24300)
#   BED_TARBALL  the proxy (the module's target/anabranch-*.tar.gz)
#   MARIADBD, MARIADB_INSTALL_DB  the server's programs (from the PATH)
#   BED_SERVER mysql: MySQL servers, of the one that .ci/mysql has unpacked into MYSQL_HOME
#              (~/.cache/anabranch/mysql)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
module=$(cd "$here/../../.." && pwd -P)
. "$here/settings.sh"

databases="drivers test_schema other test tools"
shards="shard_0 shard_1 shard_2 shard_3"
renamed=
if [ "$BED_LAYOUT" = renamed ]; then for database in $databases; do renamed+=" actual_$database"; done; fi

server_start() { # name port databases...
  local data=$BED_DIR/$1
  if [ "$BED_SERVER" = mysql ]; then mysql_start "$@"; else mariadb_start "$@"; fi
  echo $! >"$data/pid"
}

init_sql() { # databases...
  if [ "$BED_SERVER" = mysql ]; then
    echo "SET sql_log_bin=0;"
    echo "CREATE USER IF NOT EXISTS '$BED_USER'@'%' IDENTIFIED BY '$BED_PASSWORD';"
  else
    echo "CREATE USER '$BED_USER'@'%' IDENTIFIED BY '$BED_PASSWORD';"
  fi
  echo "GRANT ALL ON *.* TO '$BED_USER'@'%' WITH GRANT OPTION;"
  for database in "$@"; do echo "CREATE DATABASE $database CHARACTER SET utf8mb4;"; done
  # As mysqltest expects it.
  for database in "$@"; do
    case $database in test | actual_test) echo "ALTER DATABASE $database CHARACTER SET latin1;" ;; esac
  done
}

mysql_start() { # name port databases...
  local name=$1 port=$2 data=$BED_DIR/$1 home=${MYSQL_HOME:-$HOME/.cache/anabranch/mysql}
  shift 2
  rm -rf "$data"
  mkdir -p "$data/tmp"
  home=$(cd "$home" && pwd -P)
  # With the libraries that it came with.
  local program=("$home/lib64/ld-linux-x86-64.so.2" --library-path "$home/usr/lib/x86_64-linux-gnu:$home/usr/lib/mysql/private"
    "$home/usr/sbin/mysqld" --no-defaults --user="$(id -un)" --datadir="$data/data" --lc-messages-dir="$home/usr/share/mysql"
    --character-sets-dir="$home/usr/share/mysql/charsets" --plugin-dir="$home/usr/lib/mysql/plugin" --secure-file-priv=NULL)
  "${program[@]}" --initialize-insecure >"$data/install.log" 2>&1
  init_sql "$@" >"$data/init.sql"
  (
    cd "$data"
    exec env TMPDIR="$data/tmp" "${program[@]}" --port="$port" --bind-address=127.0.0.1 --mysqlx=OFF --socket=server.sock \
      --pid-file="$data/server.pid" --init-file="$data/init.sql" --innodb-buffer-pool-size=64M \
      --innodb-flush-log-at-trx-commit=0 --sync-binlog=0 --max-connections=300 --local-infile=ON --event-scheduler=OFF \
      --max-allowed-packet=64M --performance-schema=OFF --skip-name-resolve --log-bin-trust-function-creators=ON \
      --ssl-cert="$BED_DIR/certificate.pem" --ssl-key="$BED_DIR/key.pem" >server.log 2>&1
  ) &
}

mariadb_start() { # name port databases...
  local name=$1 port=$2 data=$BED_DIR/$1
  shift 2
  rm -rf "$data"
  mkdir -p "$data/tmp"
  # A server that starts removes temporary tables of others from a TMPDIR that they share.
  local -x TMPDIR=$data/tmp
  local as_user=()
  [ "$(id -u)" != 0 ] || as_user=(--user=root)
  "${MARIADB_INSTALL_DB:-mariadb-install-db}" --no-defaults "${as_user[@]}" --datadir="$data/data" \
    --auth-root-authentication-method=normal --skip-test-db >"$data/install.log" 2>&1
  init_sql "$@" >"$data/init.sql"
  (
    cd "$data"
    exec "${MARIADBD:-mariadbd}" --no-defaults "${as_user[@]}" --datadir="$data/data" --port="$port" \
      --bind-address=127.0.0.1 --socket=server.sock --pid-file="$data/server.pid" --init-file="$data/init.sql" \
      --innodb-buffer-pool-size=64M --innodb-log-file-size=32M --innodb-flush-log-at-trx-commit=0 --sync-binlog=0 \
      --max-connections=300 --local-infile=ON --event-scheduler=OFF --max-allowed-packet=64M \
      --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci --performance-schema=OFF \
      --skip-name-resolve --ssl-cert="$BED_DIR/certificate.pem" --ssl-key="$BED_DIR/key.pem" >server.log 2>&1
  ) &
}

server_wait() { # port
  local tries=0
  until mariadb --no-defaults --skip-ssl -h127.0.0.1 -P"$1" -u"$BED_USER" -p"$BED_PASSWORD" -e 'SELECT 1' >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "no answer on port $1" >&2; exit 1; }
    sleep 0.2
  done
}

data_source() { # name schema connections
  local key=
  [ "$BED_SERVER" != mysql ] || key="?allowPublicKeyRetrieval=true"
  echo "  $1: { url: \"jdbc:mysql://127.0.0.1:$BED_BEHIND_PORT/$2$key\", username: $BED_USER, password: $BED_PASSWORD, maxPoolSize: $3, minPoolSize: 1 }"
}

configure() {
  rm -rf "$BED_DIR/conf"
  mkdir -p "$BED_DIR/conf"
  cat >"$BED_DIR/conf/global.yaml" <<YAML
authority:
  users:
    - { user: "$BED_USER@%", password: "$BED_PASSWORD", admin: true }
    # The cases of mysqltest connect so.
    - { user: "root@%", password: "", admin: true }
  privilege: { type: ALL_PERMITTED }
props:
  proxy-admin-port: $((BED_PORT + 3))
  proxy-frontend-ssl-enabled: true
$(printf '%s\n' "${BED_PROPS:-}" | sed '/^$/d; s/^/  /')
YAML
  local database
  for database in $databases; do
    {
      echo "databaseName: $database"
      echo "dataSources:"
      case $BED_LAYOUT in
        same)
          data_source "$database" "$database" 30
          echo "rules: []"
          ;;
        renamed)
          data_source "$database" "actual_$database" 30
          echo "rules: []"
          ;;
        split)
          data_source primary "$database" 30
          data_source replica "$database" 30
          cat <<YAML
rules:
- !READWRITE_SPLITTING
  dataSourceGroups:
    group: { writeDataSourceName: primary, readDataSourceNames: [replica], discovery: { type: STATIC }, readConsistency: EVENTUAL }
YAML
          ;;
        *) echo "no layout $BED_LAYOUT" >&2; exit 2 ;;
      esac
    } >"$BED_DIR/conf/database-$database.yaml"
  done
  {
    echo "databaseName: shards"
    echo "dataSources:"
    local i
    for i in 0 1 2 3; do data_source "ds_$i" "shard_$i" 20; done
    cat "$here/shards-rules.yaml"
  } >"$BED_DIR/conf/database-shards.yaml"
}

proxy_start() {
  local tarball=${BED_TARBALL:-$(ls "$module"/target/anabranch-*.tar.gz)}
  rm -rf "$BED_DIR/proxy"
  mkdir -p "$BED_DIR/proxy"
  tar -xzf "$tarball" -C "$BED_DIR/proxy" --strip-components=1
  "$BED_DIR/proxy/bin/start.sh" -p "$BED_PROXY_PORT" -c "$BED_DIR/conf"
}

start() {
  mkdir -p "$BED_DIR"
  [ -f "$BED_DIR/key.pem" ] || openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=127.0.0.1 \
    -keyout "$BED_DIR/key.pem" -out "$BED_DIR/certificate.pem" 2>/dev/null
  server_start direct "$BED_DIRECT_PORT" $databases shards
  server_start behind "$BED_BEHIND_PORT" $databases $renamed $shards
  server_wait "$BED_DIRECT_PORT"
  server_wait "$BED_BEHIND_PORT"
  configure
  proxy_start
}

stop() {
  [ ! -x "$BED_DIR/proxy/bin/stop.sh" ] || "$BED_DIR/proxy/bin/stop.sh" || true
  local name
  for name in direct behind; do
    if [ -f "$BED_DIR/$name/pid" ]; then
      local pid
      pid=$(cat "$BED_DIR/$name/pid")
      kill "$pid" 2>/dev/null || true
      # its files are its own until it has ended
      timeout 60 tail --pid="$pid" -f /dev/null || kill -9 "$pid" 2>/dev/null || true
      rm -f "$BED_DIR/$name/pid"
    fi
  done
}

case ${1:-} in
  start) start ;;
  stop) stop ;;
  restart-proxy) "$BED_DIR/proxy/bin/stop.sh" || true; configure; proxy_start ;;
  *) sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p;}' "$0"; exit 2 ;;
esac
