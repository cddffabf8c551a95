#!/usr/bin/env bash
# Apache ShardingSphere-Proxy 5.1.1, the newest whose proxy modules are published, on 127.0.0.1:23507.
# usage: peer-shardingsphere.sh start|stop|pids|target KIND     env: SS_JAVA_HOME a JDK 17, SS_HEAP (2g), POOL (80)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$here/target/shardingsphere
lib=$home/lib
version=5.1.1
java_home=${SS_JAVA_HOME:-/usr/lib/jvm/java-17-openjdk-amd64}
pid_of() {
  local pid
  pid=$(cat "$home/proxy.pid" 2>/dev/null) || return 0
  tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qx LoopbackMain && echo "$pid"
  return 0
}
fetch() {
  local modules="" module
  mkdir -p "$lib"
  # no bootstrap module is published after 5.1.0: that one's classes, over the newer modules
  for module in proxy-frontend-core proxy-frontend-mysql proxy-backend db-protocol-core db-protocol-mysql standalone-mode-core jdbc-core; do
    modules+="<dependency><groupId>org.apache.shardingsphere</groupId><artifactId>shardingsphere-$module</artifactId><version>$version</version></dependency>"
  done
  sed -e "s|@BOOTSTRAP@|5.1.0|; s|@MYSQL@|8.4.0|; s|@MARIADB@|3.5.3|; s|@MODULES@|$modules|" \
    -e "s|@EXCLUDE@|<exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>|" \
    "$here/shardingsphere/pom.xml.in" >"$home/pom.xml"
  (cd "$home" && mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$lib")
  "$java_home/bin/javac" --release 17 -cp "$lib/*" -d "$home" "$here/shardingsphere/LoopbackMain.java"
}
source_yaml() { # name port schema
  cat <<Y
  $1:
    url: jdbc:mysql://127.0.0.1:$2/$3?useSSL=false&allowPublicKeyRetrieval=true&serverTimezone=UTC&useServerPrepStmts=true&cachePrepStmts=true&prepStmtCacheSize=8192&prepStmtCacheSqlLimit=2048
    username: test
    password: test
    maxPoolSize: ${POOL:-80}
    minPoolSize: ${POOL:-80}
Y
}
sharded() {
  local half=$(($1 / 2)) t
  echo "schemaName: shard$1_db"; echo "dataSources:"
  source_yaml ds_0 23411 "sbtest_shard$1"; source_yaml ds_1 23421 "sbtest_shard$1"
  echo "rules:"; echo "- !SHARDING"; echo "  tables:"
  for t in 1 2 3 4; do
    echo "    sbtest$t: { actualDataNodes: 'ds_\${0..1}.sbtest${t}_\${0..$((half - 1))}' }"
  done
  cat <<Y
  defaultDatabaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: db_inline } }
  defaultTableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: table_mod } }
  shardingAlgorithms:
    db_inline: { type: INLINE, props: { algorithm-expression: 'ds_\${Math.abs(id.intdiv($half) % 2)}', allow-range-query-with-inline-sharding: true } }
    table_mod: { type: MOD, props: { sharding-count: $half } }
Y
}
configure() {
  local conf=$home/conf parts
  rm -rf "$conf"; mkdir -p "$conf"
  cat >"$conf/server.yaml" <<'Y'
rules:
  - !AUTHORITY
    users: [test@%:test]
    provider: { type: ALL_PRIVILEGES_PERMITTED }
  - !TRANSACTION
    defaultType: LOCAL
props:
  kernel-executor-size: 16
  proxy-backend-executor-suitable: OLTP
  sql-show: false
  check-table-metadata-enabled: false
  proxy-frontend-database-protocol-type: MySQL
Y
  { echo "schemaName: plain_db"; echo "dataSources:"; source_yaml ds_0 23411 sbtest; echo "rules: []"; } >"$conf/config-plain.yaml"
  { echo "schemaName: rw_db"; echo "dataSources:"; source_yaml p 23411 sbtest; source_yaml r 23412 sbtest
    cat <<'Y'
rules:
- !READWRITE_SPLITTING
  dataSources:
    rw: { type: Static, props: { write-data-source-name: p, read-data-source-names: r }, loadBalancerName: rr }
  loadBalancers: { rr: { type: ROUND_ROBIN } }
Y
  } >"$conf/config-rw.yaml"
  for parts in 8 32 64; do sharded "$parts" >"$conf/config-shard$parts.yaml"; done
  cat >"$conf/logback.xml" <<'Y'
<configuration>
  <appender name="console" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%d %level %logger{36} - %msg%n</pattern></encoder></appender>
  <root level="warn"><appender-ref ref="console"/></root>
</configuration>
Y
}
launch() {
  local jars package opens=()
  [ -f "$home/LoopbackMain.class" ] || fetch
  configure
  for package in java.lang java.lang.reflect java.nio java.util jdk.internal.misc sun.nio.ch; do opens+=("--add-opens=java.base/$package=ALL-UNNAMED"); done
  # both drivers would answer a jdbc:mysql URL: leave the other one out
  jars=$(find "$lib" -name "*.jar" ! -name "mariadb-java-client-*" | tr "\n" ":")
  (cd "$home" && exec setsid "$java_home/bin/java" -server -Xms"${SS_HEAP:-2g}" -Xmx"${SS_HEAP:-2g}" -XX:+UseG1GC -XX:AutoBoxCacheMax=4096 \
    -Dio.netty.leakDetectionLevel=DISABLED "${opens[@]}" -cp "$home/conf:$home:$jars" LoopbackMain 23507 "$home/conf") >"$home/proxy.log" 2>&1 </dev/null &
  echo $! >"$home/proxy.pid"
  for _ in $(seq 600); do
    ! grep -q '^listening on' "$home/proxy.log" || return 0
    [ -n "$(pid_of)" ] || break
    sleep 0.2
  done
  tail -20 "$home/proxy.log" >&2
  return 1
}
case ${1:-} in
  start) [ -n "$(pid_of)" ] || launch ;;
  stop)
    pid=$(pid_of)
    [ -z "$pid" ] || { kill "$pid"; for _ in $(seq 50); do [ -d "/proc/$pid" ] || exit 0; sleep 0.2; done; kill -9 "$pid"; } ;;
  pids) pid_of ;;
  target)
    case ${2:-} in
      plain | rw | shard8 | shard32 | shard64) echo "23507 ${2}_db" ;;
    esac ;;
  *) echo "usage: $0 start|stop|pids|target KIND" >&2; exit 2 ;;
esac
