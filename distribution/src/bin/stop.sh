#!/usr/bin/env bash
# Stops the proxy: running statements may finish, up to proxy-drain-timeout; then it ends.
#
# usage: stop.sh [--force]
#   --force   without waiting for statements and open transactions: these are rolled back
# environment:
#   ANABRANCH_LOG_DIR       as given to start.sh
#   ANABRANCH_STOP_SECONDS  when to end it the hard way (60; keep it above the drain timeout)
# exit codes: 0 it does not run any more, 1 it could not be stopped, 2 usage
set -u
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

force=false
if [ "${1:-}" = --force ]; then
  force=true
  shift
fi
no_arguments "${BASH_SOURCE[0]}" "$@"

pid=$(running_pid)
if [ -z "$pid" ]; then
  rm -f "$pid_file" "$address_file" 2>/dev/null
  say "does not run"
  exit 0
fi
kill "$pid" || fail 1 "may not stop pid $pid"
# A second signal tells it not to wait any longer.
$force && sleep 0.2 && kill "$pid" 2>/dev/null
deadline=$((SECONDS + ${ANABRANCH_STOP_SECONDS:-60}))
while [ -n "$(running_pid)" ]; do
  if [ $SECONDS -ge $deadline ]; then
    say "pid $pid did not end within ${ANABRANCH_STOP_SECONDS:-60} s: killed"
    kill -9 "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -n "$(running_pid)" ] && sleep 0.2; done
    [ -z "$(running_pid)" ] || fail 1 "pid $pid does not end"
    break
  fi
  sleep 0.1
done
rm -f "$pid_file" "$address_file"
say "stopped"
