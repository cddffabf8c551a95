#!/usr/bin/env bash
# Runs the suites of drivers and ORMs against a database itself and through the proxy, and compares what they print.
#
# usage: compare.sh [--bed] [suite...]     (all folders with a run.sh beside this script)
#   --bed   the bed runs already (bed.sh start) and is left running
#
# Each suite runs twice with all its cases, directly and through a pass-through database (BED_LAYOUT tells of which
# kind, see bed.sh): the one that its run.sh names, or `drivers`. Those that have cases for sharded tables run a third
# time with CASES=crud on the sharded database `shards`, compared with one plain database.
# Lines that may differ are listed with their reason in the suite's differs.txt: extended regular expressions, comments
# start with #. Results: $BED_DIR/results/SUITE.{direct,proxy,...}. Exit code 0: nothing else differs.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
module=$(cd "$here/../../.." && pwd -P)
. "$here/settings.sh"

own_bed=true
if [ "${1:-}" = --bed ]; then own_bed=false; shift; fi
suites=("$@")
[ ${#suites[@]} -gt 0 ] || mapfile -t suites < <(cd "$here" && ls -d */run.sh | xargs -n1 dirname)

results=$BED_DIR/results
mkdir -p "$results"
export BED_DIRECT_PORT BED_BEHIND_PORT BED_PROXY_PORT
if $own_bed; then
  trap '"$here/bed.sh" stop' EXIT
  "$here/bed.sh" start || exit 1
fi

run() { # suite way port server-port database cases
  SUITE_DIR=$BED_DIR/suites/$1 SUITE_OUTPUT=$results/$1-$2 SERVER_PORT=$4 CASES=$6 \
    "$here/$1/run.sh" 127.0.0.1 "$3" "$BED_USER" "$BED_PASSWORD" "$5" >"$results/$1.$2" 2>"$results/$1.$2.err"
  local status=$?
  [ $status = 0 ] || echo "exit code $status" >>"$results/$1.$2"
}

allowed() { # suite: expressions of lines that may differ; one that matches nothing if there is none
  [ ! -f "$here/$1/differs.txt" ] || grep -vE '^ *(#|$)' "$here/$1/differs.txt"
  echo '^$'
}

failures=0
compare() { # suite reference other
  local lines same=$results/$1.$2
  lines=$(wc -l <"$same")
  if [ "$lines" -lt 3 ]; then
    echo "$1: no results, see $results/$1.$2.err"
    failures=$((failures + 1))
  elif diff -a <(grep -avEf <(allowed "$1") "$same") <(grep -avEf <(allowed "$1") "$results/$1.$3") >"$results/$1.$3.diff"; then
    echo "$1: $3 as $2, $lines lines"
  else
    echo "$1: $3 differs from $2 in $(grep -c '^[<>]' "$results/$1.$3.diff") lines, see $results/$1.$3.diff"
    failures=$((failures + 1))
  fi
}

for suite in "${suites[@]}"; do
  database=$(sed -n 's/^# database: //p' "$here/$suite/run.sh")
  run "$suite" direct "$BED_DIRECT_PORT" "$BED_DIRECT_PORT" "${database:-drivers}" all
  run "$suite" proxy "$BED_PROXY_PORT" "$BED_BEHIND_PORT" "${database:-drivers}" all
  compare "$suite" direct proxy
  if grep -q 'CASES=crud' "$here/$suite/run.sh"; then
    run "$suite" direct-crud "$BED_DIRECT_PORT" "$BED_DIRECT_PORT" shards crud
    run "$suite" sharded-crud "$BED_PROXY_PORT" "$BED_BEHIND_PORT" shards crud
    compare "$suite" direct-crud sharded-crud
  fi
done
exit $((failures > 0))
