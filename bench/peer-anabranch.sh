#!/usr/bin/env bash
# Ours, from the tarball, on 127.0.0.1:23307: plain_db (A), rw_db (A and its replica), shard_db (A and B, 4 tables each).
# usage: peer-anabranch.sh start|stop|pid    env: ANABRANCH_JVM_OPTS, POOL (80), PARTS tables per data source (4)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$here/target/anabranch
pool=${POOL:-80}
parts=${PARTS:-4}

source_yaml() { # name port schema
  printf '  %s: { url: "jdbc:mysql://127.0.0.1:%s/%s?useSSL=false", username: test, password: test, maxPoolSize: %s, minPoolSize: 4 }\n' "$1" "$2" "$3" "$pool"
}
configure() {
  mkdir -p "$1"
  cat >"$1/global.yaml" <<'Y'
authority:
  users:
    - user: test@%
      password: test
      admin: true
  privilege: { type: ALL_PERMITTED }
props:
  proxy-admin-port: 23308
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
  { echo "databaseName: shard_db"; echo "dataSources:"; source_yaml ds_0 23411 sbtest_shard; source_yaml ds_1 23421 sbtest_shard
    echo "rules:"; echo "- !SHARDING"; echo "  tables:"
    for t in 1 2 3 4; do
      echo "    sbtest$t:"
      echo "      actualDataNodes: ds_\${0..1}.sbtest${t}_\${0..$((parts - 1))}"
    done
    cat <<Y
  defaultDatabaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: db_inline } }
  defaultTableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: table_mod } }
  shardingAlgorithms:
    db_inline: { type: INLINE, props: { algorithm-expression: "ds_\${Math.abs(id.intdiv($parts) % 2)}", allow-range-query-with-inline-sharding: true } }
    table_mod: { type: MOD, props: { sharding-count: $parts } }
Y
  } >"$1/database-shard.yaml"
}

root=$(echo "$home"/anabranch-*/)
case ${1:-} in
  start)
    tarball=$(ls "$here"/../distribution/target/anabranch-*.tar.gz 2>/dev/null | tail -1)
    [ -n "$tarball" ] || { echo "no tarball: mvn -q -DskipTests package" >&2; exit 1; }
    rm -rf "$home"; mkdir -p "$home"
    tar -xzf "$tarball" -C "$home"
    root=$(echo "$home"/anabranch-*/)
    configure "$home/conf"
    "$root/bin/start.sh" -p 23307 -c "$home/conf" ;;
  stop) [ ! -x "$root/bin/stop.sh" ] || "$root/bin/stop.sh" ;;
  pid) cat "$root/logs/anabranch.pid" 2>/dev/null || true ;;
  *) echo "usage: $0 start|stop|pid" >&2; exit 2 ;;
esac
