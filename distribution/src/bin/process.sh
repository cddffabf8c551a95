# shellcheck shell=bash disable=SC2034,SC2125
# Sourced by the scripts beside it: where things are, and what runs.

script=${BASH_SOURCE[0]}
while [ -L "$script" ]; do
  target=$(readlink "$script")
  case $target in /*) script=$target ;; *) script=$(dirname "$script")/$target ;; esac
done
home=$(cd "$(dirname "$script")/.." && pwd -P)
logs=${ANABRANCH_LOG_DIR:-$home/logs}
pid_file=$logs/anabranch.pid
# The proxy writes "ADDRESS PORT" here when it listens.
address_file=$logs/anabranch.address
console=$logs/console.log

say() { printf 'anabranch: %s\n' "$*"; }
fail() { # exit-code text
  local code=$1
  shift
  printf 'anabranch: %s\n' "$*" >&2
  exit "$code"
}

# What a script's first comment says.
usage() { # script
  sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p;}' "$1"
}
no_arguments() { # script arguments...
  case ${2:-} in
    '') ;;
    -h | --help) usage "$1"; exit 0 ;;
    *) fail 2 "unknown argument $2 (see $(basename "$1") --help)" ;;
  esac
}

command_line() { # pid
  if [ -r "/proc/$1/cmdline" ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -p "$1" -o args= 2>/dev/null; fi
}

# Prints the pid of this installation's proxy; nothing when none runs. A pid file may be older than
# the last reboot, so the process must be ours by its command line.
running_pid() {
  local pid
  [ -r "$pid_file" ] || return 0
  pid=$(cat "$pid_file" 2>/dev/null)
  case $pid in '' | *[!0-9]*) return 0 ;; esac
  kill -0 "$pid" 2>/dev/null || return 0
  case $(command_line "$pid") in *"-Danabranch.home=$home "*) echo "$pid" ;; esac
}

# Whether a MySQL server greets there: protocol version 10 after the packet header.
greets() { # address port
  local address=$1 version
  case $address in 0.0.0.0 | '*') address=127.0.0.1 ;; :: | 0:0:0:0:0:0:0:0) address=::1 ;; esac
  version=$(
    exec 2>/dev/null 3<>"/dev/tcp/$address/$2" || exit 1
    read_five <&3 | od -An -tu1 | awk 'NR == 1 { print $5 }'
  )
  [ "$version" = 10 ]
}
read_five() {
  if command -v timeout >/dev/null; then timeout 3 head -c 5; else head -c 5; fi
}

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
  # A run-time image of the tarball fits it best.
  if is_java_25 "$home/runtime/bin/java"; then echo "$home/runtime/bin/java"; return; fi
  if [ -n "${JAVA_HOME:-}" ] && is_java_25 "$JAVA_HOME/bin/java"; then echo "$JAVA_HOME/bin/java"; return; fi
  for candidate in "$(command -v java)" /opt/java/*/bin/java /usr/lib/jvm/*25*/bin/java \
    /usr/lib/jvm/*/bin/java "$HOME"/.sdkman/candidates/java/*/bin/java "$HOME"/.jdks/*/bin/java \
    /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java /opt/homebrew/opt/openjdk*/bin/java; do
    if [ -n "$candidate" ] && is_java_25 "$candidate"; then echo "$candidate"; return; fi
  done
}
find_java_or_fail() {
  java=$(find_java)
  [ -n "$java" ] || fail 69 "no Java 25 found: set JAVA_HOME (now: ${JAVA_HOME:-not set}), or install one, for instance from https://adoptium.net"
}

# The jars in a fixed order, because a cache of classes is good for the class path that it was made with;
# what operators add comes behind them.
class_path=
for jar in "$home"/lib/*.jar; do class_path=$class_path:$jar; done
class_path=${class_path#:}:$home/ext-lib/*
