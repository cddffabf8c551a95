#!/usr/bin/env bash
# Starts the proxy and waits until it answers.
#
# usage: start.sh [-a ADDRESS] [-p PORT] [-s SOCKET] [-c CONF_DIR] [--foreground | --supervised]
#        start.sh [PORT [CONF_DIR [ADDRESS]]]       as ShardingSphere-Proxy takes them
#   -a ADDRESS    address to listen on (127.0.0.1); another one needs passwords other than the samples'
#   -p PORT       port for MySQL clients (proxy-default-port in the configuration, else 3307)
#   -s SOCKET     file by which clients of this machine may connect besides (proxy-unix-socket, else none)
#   -c CONF_DIR   configuration directory (conf/ beside bin/)
#   -f            taken as ShardingSphere-Proxy does, without effect: the start never waits for databases
#   --foreground  stay in the foreground and log to standard output: for containers and supervisors
#   --supervised  start it again when it ends without having been stopped, for instance without memory
# environment:
#   JAVA_HOME             a Java 25; otherwise one is looked for in the usual places
#   ANABRANCH_JVM_OPTS    JVM options instead of those in jvm.options, separated by blanks
#   ANABRANCH_LOG_DIR     logs, pid file (logs/ beside bin/)
#   ANABRANCH_UMASK       of the files that it makes (077: nobody else reads logs and pid file)
#   ANABRANCH_START_SECONDS  how long to wait until it answers (60)
#   ANABRANCH_TRAIN       a file that gets the classes and profiles of this run when it ends (see train.sh)
# exit codes: 0 it answers (also when it ran already), 1 it did not start, or another one runs, 2 usage,
#   69 no Java 25, 73 logs cannot be written, 78 the configuration has problems
set -u
LC_ALL=C
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

conf=$home/conf
foreground=false
supervised=false
umask "${ANABRANCH_UMASK:-077}" || fail 2 "ANABRANCH_UMASK=${ANABRANCH_UMASK:-} is no umask"
arguments=()
wanted_port=
wanted_address=
wanted_conf=
positions=0
take_address() { wanted_address=$1; arguments+=(-a "$1"); }
take_port() { # port as-written
  case $1 in *[!0-9]* | ??????* | '') fail 2 "$2: a port is a number between 1 and 65535" ;; esac
  [ "$1" -ge 1 ] && [ "$1" -le 65535 ] || fail 2 "$2: a port is a number between 1 and 65535"
  wanted_port=$1
  arguments+=(-p "$1")
}
take_conf() { conf=$1; wanted_conf=$1; }
need() { [ $# -ge 2 ] && [ -n "$2" ] || fail 2 "$1 needs a value (see start.sh --help)"; }
while [ $# -gt 0 ]; do
  case $1 in
    -a) need "$@"; take_address "$2"; shift 2 ;;
    -p) need "$@"; take_port "$2" "-p $2"; shift 2 ;;
    -c) need "$@"; take_conf "$2"; shift 2 ;;
    -f) shift ;;
    -s) need "$@"; arguments+=(-s "$(realpath -m -- "$2")"); shift 2 ;;
    --foreground) foreground=true; shift ;;
    --supervised) supervised=true; shift ;;
    -h | --help) usage "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) fail 2 "unknown argument $1 (see start.sh --help)" ;;
    *)
      positions=$((positions + 1))
      case $positions in
        1) take_port "$1" "$1" ;;
        2) take_conf "$1" ;;
        3) take_address "$1" ;;
        *) fail 2 "unknown argument $1 (see start.sh --help)" ;;
      esac
      shift ;;
  esac
done
$foreground && $supervised && fail 2 "--foreground leaves it to a supervisor to start it again, --supervised is one"
[ -d "$conf" ] || fail 78 "no configuration directory $conf"
conf=$(cd "$conf" && pwd -P)

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
  place=$(cat "$address_file" 2>/dev/null)
  told="pid $pid${place:+, listens on ${place% *} port ${place#* }}"
  other=
  [ -z "$wanted_port" ] || [ -z "$place" ] || [ "${place#* }" = "$wanted_port" ] || other="port $wanted_port"
  [ -z "$wanted_address" ] || [ -z "$place" ] || [ "${place% *}" = "$wanted_address" ] || other="${other:+$other, }address $wanted_address"
  if [ -n "$wanted_conf" ]; then
    case $(command_line "$pid") in *" -c $conf "*) ;; *) other="${other:+$other, }configuration $conf" ;; esac
  fi
  [ -z "$other" ] || fail 1 "another one runs from $home: $told; not started with $other. stop.sh ends it; with another ANABRANCH_LOG_DIR both can run"
  say "runs already: $told"
  exit 0
fi
find_java_or_fail

options=()
if [ -n "${ANABRANCH_JVM_OPTS:-}" ]; then
  read -r -a options <<<"$ANABRANCH_JVM_OPTS"
else
  options_file=$conf/jvm.options
  [ -r "$options_file" ] || options_file=$home/conf/jvm.options
  # conf/ may be hidden behind a directory of the operator's: a container's volume
  [ -r "$options_file" ] || options_file=$home/lib/defaults/jvm.options
  if [ -r "$options_file" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      line=${line%$'\r'}
      case $line in '' | '#'*) ;; *) options+=("${line//@LOGS@/$logs}") ;; esac
    done <"$options_file"
  fi
fi

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
[ -r "$logback" ] || logback=$home/lib/defaults/logback.xml
rm -f "$address_file"
command=("$java" ${cached[@]+"${cached[@]}"} ${options[@]+"${options[@]}"} "-Danabranch.home=$home" "-Danabranch.logs=$logs"
  "-Danabranch.log=$($foreground && echo CONSOLE || echo FILE)" "-Dlogback.configurationFile=$logback"
  -cp "$class_path" io.anabranch.app.Main -c "$conf" --address-file "$address_file"
  ${arguments[@]+"${arguments[@]}"})

dump=$logs/heap.hprof
[ ! -e "$dump" ] || say "$dump is of one that had no memory left; move it away, while it is there no other is written" >&2

# What does not fit is said, and stops nothing.
"$home/bin/tune.sh" -c "$conf" --check || true

# Tells systemd (Type=notify, NotifyAccess=all) when a client is answered, and as often as its watchdog asks, that one
# still is.
notify() { # pid
  local address='' port='' pause=$((${WATCHDOG_USEC:-0} / 2000000))
  until [ -s "$address_file" ] && read -r address port <"$address_file" && greets "$address" "$port"; do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.2
  done
  systemd-notify --pid="$1" --ready --status="listens on $address port $port"
  [ -n "${WATCHDOG_USEC:-}" ] || return 0
  [ "$pause" -ge 1 ] || pause=1
  while sleep "$pause" && kill -0 "$1" 2>/dev/null; do
    ! greets "$address" "$port" || systemd-notify --pid="$1" WATCHDOG=1
  done
}

if $foreground; then
  echo $$ >"$pid_file"
  if [ -n "${NOTIFY_SOCKET:-}" ] && command -v systemd-notify >/dev/null; then
    notify $$ 9>&- &
  fi
  exec "${command[@]}" 9>&-
fi

# A session of its own: the terminal's end is none of its, and SIGHUP reaches it (nohup would keep that away).
detached="nohup"
command -v setsid >/dev/null && detached=setsid
$detached "${command[@]}" >"$console" 2>&1 </dev/null 9>&- &
pid=$!
echo "$pid" >"$pid_file"
# Whoever stops it with stop.sh takes the pid file away; everything else is started again.
is_wanted() { [ "$(cat "$pid_file" 2>/dev/null)" = "$pid" ]; }
supervise() {
  # caught, not ignored: what it starts again hears the signal
  trap : HUP
  local since=0 pause=1
  while :; do
    # not kill -0: where nobody reaps them, those that have ended are still there
    while [ "$(running_pid)" = "$pid" ]; do sleep 1; done
    # one that ends at once again and again waits longer each time, up to a minute
    [ $((SECONDS - since)) -le 30 ] || pause=1
    sleep $pause
    pause=$((pause < 30 ? pause * 2 : 60))
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
        supervise >/dev/null 2>&1 </dev/null 9>&- &
      fi
      exit 0
    fi
  fi
  sleep 0.1
done
tail -n 20 "$console" >&2
fail 1 "pid $pid does not answer after ${ANABRANCH_START_SECONDS:-60} s; it was left running, see $logs"
