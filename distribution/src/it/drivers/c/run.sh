#!/usr/bin/env bash
# MariaDB Connector/C, the library of many other languages' drivers: a program of cases, compiled here.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, CASES=crud for the cases of sharded tables alone
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
config=$(command -v mariadb_config) || { echo "no mariadb_config: apt-get install libmariadb-dev" >&2; exit 1; }
compiler=$(command -v "${CC:-cc}") || { echo "no C compiler: apt-get install gcc" >&2; exit 1; }
mkdir -p "$SUITE_DIR"
read -ra flags <<<"$("$config" --cflags)"
read -ra libraries <<<"$("$config" --libs)"
"$compiler" -std=c11 -O1 -Wall -Wextra -Werror "${flags[@]}" -o "$SUITE_DIR/cases" "$here/cases.c" "${libraries[@]}" || exit 1
cd "$SUITE_DIR" || exit 1
printf '1\tone\n2\t\\N\n3\tthr\\tee\n' >rows.txt
./cases "$@" "${CASES:-all}"
