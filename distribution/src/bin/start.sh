#!/usr/bin/env bash
# Starts the proxy and waits until it answers.
#
# usage: start.sh [-a ADDRESS] [-p PORT] [-c CONF_DIR] [--foreground | --supervised]
#   -a ADDRESS    address to listen on (127.0.0.1); another one needs passwords other than the samples'
#   -p PORT       port for MySQL clients (proxy-default-port in the configuration, else 3307)
#   -c CONF_DIR   configuration directory (conf/ beside bin/)
#   --foreground  stay in the foreground and log to standard output: for containers and supervisors
#   --supervised  start it again when it ends without having been stopped, for instance without memory
# environment:
#   JAVA_HOME             a Java 25; otherwise one is looked for in the usual places
#   ANABRANCH_JVM_OPTS    JVM options instead of those in jvm.options, separated by blanks
#   ANABRANCH_LOG_DIR     logs, pid file (logs/ beside bin/)
#   ANABRANCH_UMASK       of the files that it makes (077: nobody else reads logs and pid file)
#   ANABRANCH_START_SECONDS  how long to wait until it answers (60)
#   ANABRANCH_TRAIN       a file that gets the classes and profiles of this run when it ends (see train.sh)
# exit codes: 0 it answers (also when it ran already), 1 it did not start, 2 usage,
#   69 no Java 25, 73 logs cannot be written, 78 the configuration has problems
set -u
LC_ALL=C
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

conf=$home/conf
foreground=false
supervised=false
umask "${ANABRANCH_UMASK:-077}" || fail 2 "ANABRANCH_UMASK=${ANABRANCH_UMASK:-} is no umask"
arguments=()
need() { [ $# -ge 2 ] && [ -n "$2" ] || fail 2 "$1 needs a value (see start.sh --help)"; }
while [ $# -gt 0 ]; do
  case $1 in
    -a) need "$@"; arguments+=(-a "$2"); shift 2 ;;
    -p) need "$@"
      case $2 in *[!0-9]* | ??????*) fail 2 "-p $2: a port is a number between 1 and 65535" ;; esac
      [ "$2" -ge 1 ] && [ "$2" -le 65535 ] || fail 2 "-p $2: a port is a number between 1 and 65535"
      arguments+=(-p "$2"); shift 2 ;;
    -c) need "$@"; conf=$2; shift 2 ;;
    --foreground) foreground=true; shift ;;
    --supervised) supervised=true; shift ;;
    -h | --help) usage "${BASH_SOURCE[0]}"; exit 0 ;;
    *) fail 2 "unknown argument $1 (see start.sh --help)" ;;
  esac
done
$foreground && $supervised && fail 2 "--foreground leaves it to a supervisor to start it again, --supervised is one"
[ -d "$conf" ] || fail 78 "no configuration directory $conf"
conf=$(cd "$conf" && pwd -P)

is_java_25() { # executable
  [ -x "$1" ] || return 1
  # A JDK says its version in a file, which is read sooner than Java starts.
  local release
  release=$(dirname "$(dirname "$(readlink -f "$1" 2>/dev/null || echo "$1")")")/release
  if [ -r "$release" ]; then
    grep -q '^JAVA_VERSION="25' "$release"
  else
    case $("$1" -version 2>&1) in *'version "25'*) return 0 ;; esac
    return 1
  fi
}
find_java() {
  local candidate
  if [ -n "${JAVA_HOME:-}" ] && is_java_25 "$JAVA_HOME/bin/java"; then echo "$JAVA_HOME/bin/java"; return; fi
  for candidate in "$home"/runtime/bin/java "$(command -v java)" /opt/java/*/bin/java /usr/lib/jvm/*25*/bin/java \
    /usr/lib/jvm/*/bin/java "$HOME"/.sdkman/candidates/java/*/bin/java "$HOME"/.jdks/*/bin/java \
    /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java /opt/homebrew/opt/openjdk*/bin/java; do
    if [ -n "$candidate" ] && is_java_25 "$candidate"; then echo "$candidate"; return; fi
  done
}

if ! mkdir -p "$logs" 2>/dev/null || ! (: >>"$console") 2>/dev/null; then
  fail 73 "cannot write to $logs; set ANABRANCH_LOG_DIR to a directory that $(id -un) may write"
fi
# Of two at the same time one waits, and then finds that it runs.
if command -v flock >/dev/null; then
  exec 9>"$logs/anabranch.lock"
  flock -w "${ANABRANCH_START_SECONDS:-60}" 9 || fail 1 "another start.sh is at work in $logs"
fi
pid=$(running_pid)
if [ -n "$pid" ]; then
  say "runs already: pid $pid$([ -r "$address_file" ] && awk '{ print ", listens on " $1 " port " $2 }' "$address_file")"
  exit 0
fi
java=$(find_java)
[ -n "$java" ] || fail 69 "no Java 25 found: set JAVA_HOME (now: ${JAVA_HOME:-not set}), or install one, for instance from https://adoptium.net"

options=()
if [ -n "${ANABRANCH_JVM_OPTS:-}" ]; then
  read -r -a options <<<"$ANABRANCH_JVM_OPTS"
else
  options_file=$conf/jvm.options
  [ -r "$options_file" ] || options_file=$home/conf/jvm.options
  if [ -r "$options_file" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      line=${line%$'\r'}
      case $line in '' | '#'*) ;; *) options+=("${line//@LOGS@/$logs}") ;; esac
    done <"$options_file"
  fi
fi

# The jars in a fixed order, because a cache of classes is good for the class path that it was made with;
# what operators add comes behind them.
class_path=
for jar in "$home"/lib/*.jar; do class_path=$class_path:$jar; done
class_path=${class_path#:}:$home/ext-lib/*
# A cache that does not fit this Java or its options is passed over without a word.
cache=$home/lib/anabranch.aot
cached=()
if [ -n "${ANABRANCH_TRAIN:-}" ]; then
  cached=("-XX:AOTCacheOutput=$ANABRANCH_TRAIN")
elif [ -r "$cache" ]; then
  cached=("-XX:AOTCache=$cache" -Xlog:aot=off)
fi

logback=$conf/logback.xml
[ -r "$logback" ] || logback=$home/conf/logback.xml
rm -f "$address_file"
command=("$java" ${cached[@]+"${cached[@]}"} ${options[@]+"${options[@]}"} "-Danabranch.home=$home" "-Danabranch.logs=$logs"
  "-Danabranch.log=$($foreground && echo CONSOLE || echo FILE)" "-Dlogback.configurationFile=$logback"
  -cp "$class_path" io.anabranch.app.Main -c "$conf" --address-file "$address_file"
  ${arguments[@]+"${arguments[@]}"})

if $foreground; then
  echo $$ >"$pid_file"
  exec "${command[@]}" 9>&-
fi

nohup "${command[@]}" >"$console" 2>&1 </dev/null 9>&- &
pid=$!
echo "$pid" >"$pid_file"
# Whoever stops it with stop.sh takes the pid file away; everything else is started again.
is_wanted() { [ "$(cat "$pid_file" 2>/dev/null)" = "$pid" ]; }
supervise() {
  local since=0
  while :; do
    while kill -0 "$pid" 2>/dev/null; do sleep 1; done
    sleep 1
    # one that ends at once again and again waits longer
    [ $((SECONDS - since)) -gt 30 ] || sleep 10
    is_wanted || return 0
    printf '%s anabranch: pid %s has ended, started again\n' "$(date -u '+%F %T')" "$pid" >>"$console"
    since=$SECONDS
    "${command[@]}" >>"$console" 2>&1 </dev/null &
    pid=$!
    echo "$pid" >"$pid_file"
  done
}
deadline=$((SECONDS + ${ANABRANCH_START_SECONDS:-60}))
while [ $SECONDS -lt $deadline ]; do
  if ! kill -0 "$pid" 2>/dev/null; then
    wait "$pid"
    code=$?
    rm -f "$pid_file" "$address_file"
    grep -v '^nohup: ' "$console" | tail -n 60 >&2
    case $code in
      78) fail 78 "not started: the configuration in $conf has problems" ;;
      *) fail 1 "not started: the process ended with code $code; its output is above, more in $logs" ;;
    esac
  fi
  if [ -s "$address_file" ]; then
    read -r address port <"$address_file"
    if greets "$address" "$port"; then
      say "listens on $address port $port, pid $pid, logs in $logs"
      if $supervised; then
        trap '' HUP
        supervise >/dev/null 2>&1 </dev/null 9>&- &
      fi
      exit 0
    fi
  fi
  sleep 0.1
done
tail -n 20 "$console" >&2
fail 1 "pid $pid does not answer after ${ANABRANCH_START_SECONDS:-60} s; it was left running, see $logs"
