#!/usr/bin/env bash
# Takes a flight recording of the running proxy and says what is in it: where the CPU goes, pauses, allocation.
#
# usage: jfr.sh [--seconds N] [--file FILE] [--lines N]
#        jfr.sh --show FILE [--lines N]      what is in a recording that is there already
#   --seconds N   how long (30)
#   --file FILE   where the recording is kept (in the log directory, by its time)
#   --lines N     of each list (15)
# environment: ANABRANCH_LOG_DIR as given to start.sh; JAVA_HOME: a JDK 25, whose jcmd and jfr are used
# exit codes: 0 done, 1 not recorded, 2 usage, 3 the proxy does not run, 69 no JDK
set -u
LC_ALL=C
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

seconds=30
lines=15
file=
show=
number() { # value name
  case $1 in '' | *[!0-9]* | ?????? | 0) fail 2 "$2 needs a number between 1 and 99999 (see jfr.sh --help)" ;; esac
}
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) number "${2:-}" "$1"; seconds=$2; shift 2 ;;
    --lines) number "${2:-}" "$1"; lines=$2; shift 2 ;;
    --file) [ -n "${2:-}" ] || fail 2 "--file needs a value (see jfr.sh --help)"; file=$(realpath -m -- "$2"); shift 2 ;;
    --show) [ -r "${2:-}" ] || fail 2 "--show needs a recording (see jfr.sh --help)"; show=$2; shift 2 ;;
    -h | --help) usage "${BASH_SOURCE[0]}"; exit 0 ;;
    *) fail 2 "unknown argument $1 (see jfr.sh --help)" ;;
  esac
done

# A JRE has no jcmd: other Javas of the machine are looked at, too.
tool() { # name
  local candidate
  find_java_or_fail
  for candidate in "$(dirname "$java")/$1" "$(command -v "$1")" /opt/java/*/bin/"$1" /usr/lib/jvm/*25*/bin/"$1"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then echo "$candidate"; return 0; fi
  done
  fail 69 "$1 is not there: set JAVA_HOME to a JDK 25 (a JRE has none)"
}
jfr=$(tool jfr) || exit $?

if [ -z "$show" ]; then
  pid=$(running_pid)
  [ -n "$pid" ] || fail 3 "does not run"
  jcmd=$(tool jcmd) || exit $?
  umask 077
  [ -n "$file" ] || file=$logs/anabranch-$(date -u +%Y%m%d-%H%M%S).jfr
  name=jfr.sh-$$
  answer=$("$jcmd" "$pid" JFR.start "name=$name" settings=profile 2>&1) || fail 1 "pid $pid does not record: $answer"
  stopped=false
  stop() {
    $stopped && return
    stopped=true
    answer=$("$jcmd" "$pid" JFR.stop "name=$name" "filename=\"$file\"" 2>&1)
  }
  trap 'stop; exit 1' INT TERM
  say "records pid $pid for $seconds s"
  sleep "$seconds"
  stop
  trap - INT TERM
  [ -s "$file" ] || fail 1 "there is no recording: $answer"
  show=$file
fi

view() { # name
  printf '\n'
  "$jfr" view --width 120 --cell-height 1 "$1" "$show" 2>/dev/null | grep -v '^$' | head -n $((lines + 3))
}
"$jfr" summary "$show" 2>/dev/null | sed -n '/^ Start/p; /^ Duration/p' || true
view hot-methods
view gc-pauses
view allocation-by-class
view allocation-by-site
view contention-by-site
view cpu-load
printf '\n'
say "the recording is $show"
