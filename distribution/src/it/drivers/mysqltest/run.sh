#!/usr/bin/env bash
# Runs cases of MariaDB's own test suite that need nothing but a connection.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE [case...]
#
# The cases are those in cases.txt; per case the exit code and a sum of all that the client saw go to standard output,
# what it saw to $SUITE_OUTPUT/CASE.out. mysqltest asks for SHOW WARNINGS after each statement with warnings and prints
# columns, rows and errors, so that equal output is equal behaviour. The cases and the client come from the packages
# mariadb-test and mariadb-test-data, which are unpacked, not installed.
#
# environment: SUITE_DIR (where the packages are unpacked), SUITE_OUTPUT, SERVER_PORT (port of the database server itself,
# to empty the database between cases)
set -uo pipefail
host=$1 port=$2 user=$3 password=$4
# Not the one that is named: the bed's `test` has the character set that the cases expect from the start. Connections keep
# a database's character set as it was when they were opened, pooled ones for long.
database=test
shift 5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
mkdir -p "$SUITE_DIR" "$SUITE_OUTPUT"
if [ ! -x "$SUITE_DIR/usr/bin/mariadb-test" ]; then
  (cd "$SUITE_DIR" && apt-get download mariadb-test mariadb-test-data libpcre2-posix3 && for package in *.deb; do
    dpkg -x "$package" .
  done) >"$SUITE_DIR/install.log" 2>&1 || { cat "$SUITE_DIR/install.log" >&2; exit 1; }
fi
cases=("$@")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(sed 's/#.*//; /^ *$/d' "$here/cases.txt")

suite=$SUITE_DIR/usr/share/mysql/mysql-test
server() { mariadb --no-defaults -h"$host" -P"$SERVER_PORT" -u"$user" -p"$password" "$@"; }
# Names that the cases take from mysql-test-run.pl.
export MYSQLTEST_VARDIR=$SUITE_OUTPUT/var MYSQL_TEST_DIR=$suite MASTER_MYPORT=$port MYSQL_TMP_DIR=$SUITE_OUTPUT/var/tmp
export DEFAULT_MASTER_PORT=$port CHARSETSDIR=/usr/share/mysql/charsets LD_LIBRARY_PATH=$SUITE_DIR/usr/lib/x86_64-linux-gnu
export USE_RUNNING_SERVER=1 TZ=UTC LC_ALL=C
rm -rf "$MYSQLTEST_VARDIR"
mkdir -p "$MYSQL_TMP_DIR" "$MYSQLTEST_VARDIR/log"
ln -sfn "$suite/std_data" "$MYSQLTEST_VARDIR/std_data"
cd "$suite" || exit 1
for case in "${cases[@]}"; do
  for other in $(server -BNe "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'mysqltest%'"); do
    server -e "DROP DATABASE $other"
  done
  server -e "DROP DATABASE IF EXISTS $database; CREATE DATABASE $database CHARACTER SET latin1"
  timeout 60 "$SUITE_DIR/usr/bin/mariadb-test" --no-defaults --protocol=tcp -h "$host" -P "$port" -u "$user" -p"$password" \
    -D "$database" --basedir="$suite/" --tmpdir="$MYSQL_TMP_DIR" --logdir="$MYSQLTEST_VARDIR/log" --silent \
    --test-file="main/$case.test" >"$SUITE_OUTPUT/$case.out" 2>"$SUITE_OUTPUT/$case.err" </dev/null
  status=$?
  sed -i "s/\b$port\b/PORT/g" "$SUITE_OUTPUT/$case.out"
  echo "$case exit $status $(sha256sum <"$SUITE_OUTPUT/$case.out" | cut -c1-16)"
done
