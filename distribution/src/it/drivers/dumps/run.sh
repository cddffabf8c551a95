#!/usr/bin/env bash
# mariadb-dump, mydumper and myloader: dumps a schema with all kinds of objects, loads each dump again, compares checksums.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, SUITE_OUTPUT
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
need mydumper mydumper
mkdir -p "$SUITE_DIR" "$SUITE_OUTPUT"
cd "$SUITE_DIR" || exit 1
rm -rf dumped dump-*
account=(--host="$1" --port="$2" --user="$3" --password="$4")
told() { # name command...
  echo "== $1"
  shift
  "$@" 2>&1 | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}/TIME/g; s/[0-9.]+ seconds?/SECONDS/g'
  echo "exit code ${PIPESTATUS[0]}"
}
sums() {
  "${client[@]}" -N "$1" -e 'SHOW FULL TABLES; CHECKSUM TABLE river, branch; SELECT * FROM long_river; SHOW TRIGGERS; SHOW CREATE VIEW long_river; SELECT branches(1)' 2>&1 | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}(\.[0-9]+)?/TIME/g'
}
bare() { # what differs from run to run
  sed -E 's/ (Create_time|Update_time|Created)="[^"]*"//g; /^-- (Dump completed|Host:|Server version|MariaDB dump)|^\/\*M?!/d'
}

empty "$5"
"${client[@]}" "$5" <"$here/objects.sql" || exit 1
echo "== objects"; sums "$5"
for options in '' '--single-transaction --quick' '--lock-tables --add-drop-table --routines --triggers --events' '--no-data' '--xml' '--tab-delimited=no'; do
  [ "$options" != '--tab-delimited=no' ] || continue
  told "mariadb-dump $options" bash -c "mariadb-dump --no-defaults --default-character-set=utf8mb4 --skip-dump-date ${account[*]@Q} $options $5 >dump-one.sql; echo \$?"
  bare <dump-one.sql | tee "$SUITE_OUTPUT/dump$options" | sha256sum
done
mariadb-dump --no-defaults --default-character-set=utf8mb4 --skip-dump-date "${account[@]}" --routines --triggers --events --hex-blob "$5" >dump-all.sql
bare <dump-all.sql
told "mariadb-dump --databases" bash -c "mariadb-dump --no-defaults --default-character-set=utf8mb4 --skip-dump-date ${account[*]@Q} --databases $5 | grep -aE '^(CREATE DATABASE|USE)'"
told "one table where" bash -c "mariadb-dump --no-defaults --default-character-set=utf8mb4 --skip-dump-date --compact ${account[*]@Q} --where='id < 3' $5 river"
empty "$5"
told "load" bash -c "mariadb --no-defaults --default-character-set=utf8mb4 ${account[*]@Q} $5 <dump-all.sql"
sums "$5"
told "mydumper" mydumper "${account[@]}" -B "$5" -o dumped --triggers --routines --events -t 2 -v 1
(cd dumped && ls | LC_ALL=C sort)
cat dumped/"$5".river-schema.sql dumped/"$5".river*.sql | grep -avE '^/\*'
empty "$5"
told "myloader" myloader "${account[@]}" -B "$5" -d dumped -o -t 2 -v 1
sums "$5"
told "mariadb-show" mariadb-show "${account[@]}" "$5"
told "mariadb-check" mariadb-check "${account[@]}" "$5"
told "mariadb-check --analyze" mariadb-check --analyze "${account[@]}" "$5"
printf '7\tsieben\n8\tacht\n' >river.txt
told "mariadb-import" mariadb-import "${account[@]}" --local --columns=id,name "$5" river.txt
sums "$5"
