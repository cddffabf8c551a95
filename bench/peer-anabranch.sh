#!/usr/bin/env bash
# Ours, from the tarball, on 127.0.0.1:23307: plain_db (A), rw_db (A and its replica), shard8_db, shard32_db and
# shard64_db (so many actual tables of each logical one over A and B).
# usage: peer-anabranch.sh start|stop|pids|target KIND
# env: ANABRANCH_JVM_OPTS, POOL connections per data source (80), PORT (23307), HOME_NAME (anabranch), LOOPS
#      event loops (one per core), DEPTH proxy-pipeline-depth (0: reads share no connections), TRANSPORT (auto)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$here/target/${HOME_NAME:-anabranch}
pool=${POOL:-80}
port=${PORT:-23307}

source_yaml() { # name port schema
  printf '  %s: { url: "jdbc:mysql://127.0.0.1:%s/%s?useSSL=false", username: test, password: test, maxPoolSize: %s, minPoolSize: 4 }\n' "$1" "$2" "$3" "$pool"
}
sharded() { # parts: actual tables of a logical one; half of them on each data source
  local half=$(($1 / 2))
  echo "databaseName: shard$1_db"; echo "dataSources:"
  source_yaml ds_0 23411 "sbtest_shard$1"; source_yaml ds_1 23421 "sbtest_shard$1"
  echo "rules:"; echo "- !SHARDING"; echo "  tables:"
  for t in 1 2 3 4; do
    echo "    sbtest$t:"
    echo "      actualDataNodes: ds_\${0..1}.sbtest${t}_\${0..$((half - 1))}"
  done
  cat <<Y
  defaultDatabaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: db_inline } }
  defaultTableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: table_mod } }
  shardingAlgorithms:
    db_inline: { type: INLINE, props: { algorithm-expression: "ds_\${Math.abs(id.intdiv($half) % 2)}", allow-range-query-with-inline-sharding: true } }
    table_mod: { type: MOD, props: { sharding-count: $half } }
Y
}
configure() {
  mkdir -p "$1"
  cat >"$1/global.yaml" <<Y
authority:
  users:
    - user: test@%
      password: test
      admin: true
  privilege: { type: ALL_PERMITTED }
props:
  proxy-admin-port: $((port + 1))
  proxy-frontend-executor-size: ${LOOPS:-0}
  proxy-pipeline-depth: ${DEPTH:-0}
  proxy-transport: ${TRANSPORT:-auto}
Y
  { echo "databaseName: plain_db"; echo "dataSources:"; source_yaml ds_0 23411 sbtest; echo "rules: []"; } >"$1/database-plain.yaml"
  { echo "databaseName: rw_db"; echo "dataSources:"; source_yaml p 23411 sbtest; source_yaml r 23412 sbtest
    cat <<'Y'
rules:
- !READWRITE_SPLITTING
  dataSourceGroups:
    rw: { writeDataSourceName: p, readDataSourceNames: [r], loadBalancerName: rr }
  loadBalancers: { rr: { type: ROUND_ROBIN } }
Y
  } >"$1/database-rw.yaml"
  for parts in 8 32 64; do sharded "$parts" >"$1/database-shard$parts.yaml"; done
}

root=$(echo "$home"/anabranch-*/)
case ${1:-} in
  start)
    tarball=$(find "$here/../distribution/target" -maxdepth 1 -name "anabranch-*.tar.gz" 2>/dev/null | tail -1)
    [ -n "$tarball" ] || { echo "no tarball: mvn -q -DskipTests package" >&2; exit 1; }
    [ ! -x "$root/bin/stop.sh" ] || "$root/bin/stop.sh" >/dev/null 2>&1 || true
    rm -rf "$home"; mkdir -p "$home"
    tar -xzf "$tarball" -C "$home"
    root=$(echo "$home"/anabranch-*/)
    configure "$home/conf"
    "$root/bin/start.sh" -p "$port" -c "$home/conf" ;;
  stop) [ ! -x "$root/bin/stop.sh" ] || "$root/bin/stop.sh" ;;
  pids) cat "$root/logs/anabranch.pid" 2>/dev/null || true ;;
  target)
    case ${2:-} in
      plain | rw | shard8 | shard32 | shard64) echo "$port ${2}_db" ;;
    esac ;;
  *) echo "usage: $0 start|stop|pids|target KIND" >&2; exit 2 ;;
esac
