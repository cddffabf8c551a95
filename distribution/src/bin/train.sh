#!/usr/bin/env bash
# Makes lib/anabranch.aot anew: classes in the form in which this Java keeps them in memory, and profiles for its
# compiler. With it the proxy starts in about half of the time. The tarball's own fits the Java that it was built
# with; start.sh does without one that does not fit.
#
# usage: train.sh [-c CONF_DIR]
#   -c CONF_DIR   configuration to start with for the training (one without databases); its jvm.options count
# environment: JAVA_HOME as for start.sh
# exit codes: 0 made, 1 not made, 2 usage
set -u
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

conf=
while [ $# -gt 0 ]; do
  case $1 in
    -c) [ $# -ge 2 ] && [ -d "$2" ] || fail 2 "-c needs a configuration directory (see train.sh --help)"
      conf=$2; shift 2 ;;
    -h | --help) usage "${BASH_SOURCE[0]}"; exit 0 ;;
    *) fail 2 "unknown argument $1 (see train.sh --help)" ;;
  esac
done

[ -w "$home/lib" ] || fail 1 "cannot write to $home/lib"
work=$(mktemp -d) || fail 1 "no place for temporary files"
pid=
end() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null
  rm -rf "$work"
}
trap end EXIT

if [ -z "$conf" ]; then
  conf=$work/conf
  mkdir "$conf"
  cp "$home/conf/jvm.options" "$home/conf/logback.xml" "$conf" || exit 1
  printf 'authority: { users: [ { user: "training@127.0.0.1", password: "%s" } ] }\n' "$RANDOM$RANDOM" >"$conf/global.yaml"
  # Nobody listens on port 1: the proxy starts, and says that its data source is down.
  cat >"$conf/database-training.yaml" <<'YAML'
databaseName: training
dataSources:
  ds_0: { url: "jdbc:mysql://127.0.0.1:1/t", username: t, password: t }
rules:
- !SHARDING
  tables:
    t:
      actualDataNodes: ds_0.t_${0..1}
      tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
  shardingAlgorithms:
    by_id: { type: MOD, props: { sharding-count: 2 } }
YAML
fi

port=$((20000 + RANDOM % 20000))
while greets 127.0.0.1 "$port"; do port=$((port + 1)); done

ANABRANCH_LOG_DIR=$work/logs ANABRANCH_TRAIN=$work/anabranch.aot "$home/bin/start.sh" --foreground -p "$port" -c "$conf" \
  >"$work/output" 2>&1 &
pid=$!
for _ in $(seq 300); do
  ! greets 127.0.0.1 "$port" || break
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
kill "$pid" 2>/dev/null
wait "$pid"
pid=
if [ ! -s "$work/anabranch.aot" ]; then
  tail -n 20 "$work/output" >&2
  fail 1 "no cache was made; the output is above"
fi
mv -f "$work/anabranch.aot" "$home/lib/anabranch.aot" || exit 1
say "made $home/lib/anabranch.aot"
