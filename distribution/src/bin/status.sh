#!/usr/bin/env bash
# Says whether the proxy runs and answers.
#
# usage: status.sh       environment: ANABRANCH_LOG_DIR as given to start.sh
# exit codes: 0 it answers, 1 it runs but does not answer, 3 it does not run, 2 usage
set -u
. "$(dirname "${BASH_SOURCE[0]}")/process.sh" || exit 1

no_arguments "${BASH_SOURCE[0]}" "$@"

pid=$(running_pid)
[ -n "$pid" ] || { say "does not run"; exit 3; }
[ -s "$address_file" ] || { say "pid $pid runs but does not listen yet"; exit 1; }
read -r address port <"$address_file"
if greets "$address" "$port"; then
  say "listens on $address port $port, pid $pid, logs in $logs"
else
  say "pid $pid runs but does not answer on $address port $port"
  exit 1
fi
