#!/usr/bin/env bash
# Runs files of MariaDB's own regression tests with each of their tables sharded over four schemas, and compares each
# statement's answer with that of one database that holds all rows. BED_SERVER=mysql: the same statements on MySQL.
#
# usage: run.sh [--bed] [FILE...]      (the files of cases.txt)
#   --bed   the bed runs already (../drivers/bed.sh start) and is left running
#
# Refusals are counted by their text. Exit code 0: no answer differs but those of differs.txt; what does is in
# $BED_DIR/results/sharded-cases/FILE.log. The files come from the package mariadb-test-data, which is unpacked, not
# installed.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
module=$(cd "$here/../../.." && pwd -P)
drivers=$here/../drivers
. "$drivers/settings.sh"
own_bed=true
if [ "${1:-}" = --bed ]; then own_bed=false; shift; fi

SUITE_DIR=$BED_DIR/suites/sharded-cases
packages=(PyMySQL==1.2.4 cryptography)
. "$drivers/python-venv.sh"
cases=$SUITE_DIR/usr/share/mysql/mysql-test/main
if [ ! -d "$cases" ]; then
  (cd "$SUITE_DIR" && apt-get download mariadb-test-data && dpkg -x mariadb-test-data*.deb .) >"$SUITE_DIR/install.log" 2>&1 \
    || { cat "$SUITE_DIR/install.log" >&2; exit 1; }
fi
if $own_bed; then
  trap '"$drivers/bed.sh" stop' EXIT
  "$drivers/bed.sh" start || exit 1
fi
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(sed 's/#.*//; /^ *$/d' "$here/cases.txt")
export BED_DIRECT_PORT BED_BEHIND_PORT BED_PROXY_PORT BED_USER BED_PASSWORD
mkdir -p "$BED_DIR/results/sharded-cases"
"$python" "$here/compare.py" "$cases" "$BED_DIR/results/sharded-cases" "$here/differs.txt" "${files[@]}"
