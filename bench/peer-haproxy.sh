#!/usr/bin/env bash
# The floor: a plain TCP forwarder, 127.0.0.1:23501 -> A. usage: peer-haproxy.sh start|stop|pids|target KIND
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$here/target/haproxy
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
pid_of() {
  local pid
  pid=$(cat "$home/haproxy.pid" 2>/dev/null) || return 0
  grep -qz -- "$home/haproxy.cfg" "/proc/$pid/cmdline" 2>/dev/null && echo "$pid"
  return 0
}
case ${1:-} in
  start)
    [ -z "$(pid_of)" ] || exit 0
    mkdir -p "$home"
    cat >"$home/haproxy.cfg" <<CFG
global
    nbthread 2
    maxconn 8192
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
listen mysql
    bind 127.0.0.1:23501
    server a 127.0.0.1:23411
CFG
    ulimit -n 20000 2>/dev/null || true
    setsid "$haproxy" -db -f "$home/haproxy.cfg" >"$home/haproxy.log" 2>&1 </dev/null &
    echo $! >"$home/haproxy.pid"
    for _ in $(seq 50); do (exec 3<>/dev/tcp/127.0.0.1/23501) 2>/dev/null && exit 0; sleep 0.1; done
    cat "$home/haproxy.log" >&2; exit 1 ;;
  stop) pid=$(pid_of); [ -z "$pid" ] || kill "$pid" ;;
  pids) pid_of ;;
  target) [ "${2:-}" != plain ] || echo 23501 sbtest ;;
  *) echo "usage: $0 start|stop|pids|target KIND" >&2; exit 2 ;;
esac
