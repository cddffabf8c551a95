#!/usr/bin/env bash
# Two of ours that share nothing, behind a TCP balancer on 127.0.0.1:23502.
# usage: peer-pair.sh start|stop|pids|target KIND
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=$here/target/balancer
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
one() { PORT=23317 HOME_NAME=pair_one "$here/peer-anabranch.sh" "$@"; }
two() { PORT=23327 HOME_NAME=pair_two "$here/peer-anabranch.sh" "$@"; }
balancer() {
  local pid
  pid=$(cat "$home/haproxy.pid" 2>/dev/null) || return 0
  grep -qz -- "$home/haproxy.cfg" "/proc/$pid/cmdline" 2>/dev/null && echo "$pid"
  return 0
}
case ${1:-} in
  start)
    one start && two start
    [ -z "$(balancer)" ] || exit 0
    mkdir -p "$home"
    cat >"$home/haproxy.cfg" <<CFG
global
    nbthread 1
    maxconn 8192
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
listen mysql
    bind 127.0.0.1:23502
    balance leastconn
    server one 127.0.0.1:23317
    server two 127.0.0.1:23327
CFG
    setsid "$haproxy" -db -f "$home/haproxy.cfg" >"$home/haproxy.log" 2>&1 </dev/null &
    echo $! >"$home/haproxy.pid"
    for _ in $(seq 50); do (exec 3<>/dev/tcp/127.0.0.1/23502) 2>/dev/null && exit 0; sleep 0.1; done
    cat "$home/haproxy.log" >&2; exit 1 ;;
  stop) pid=$(balancer); [ -z "$pid" ] || kill "$pid"; one stop; two stop ;;
  pids) one pids; two pids ;;
  target) [ "${2:-}" != pair ] || echo 23502 plain_db ;;
  *) echo "usage: $0 start|stop|pids|target KIND" >&2; exit 2 ;;
esac
