#!/usr/bin/env bash
# PHP's mysqli and PDO: their own tests, which come with PHP's source.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, SUITE_OUTPUT, PHP_SOURCE (an unpacked source;
# without it Debian's of the installed version is fetched, for which apt needs a line deb-src)
# database: test
set -uo pipefail
host=$1 port=$2 user=$3 password=$4 database=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
need php php-cli
php -m | grep -qx mysqli || { echo "PHP has no mysqli: apt install php-mysql" >&2; exit 1; }
mkdir -p "$SUITE_DIR" "$SUITE_OUTPUT"
cd "$SUITE_DIR" || exit 1
source=${PHP_SOURCE:-}
if [ -z "$source" ]; then
  package=php$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
  ls -d "$package"-*/ >/dev/null 2>&1 || apt-get source -qq "$package" >"$SUITE_DIR/source.log" 2>&1 ||
    { cat "$SUITE_DIR/source.log" >&2; echo "PHP's source is absent: give apt a line deb-src, or set PHP_SOURCE" >&2; exit 1; }
  source=$(ls -d "$SUITE_DIR/$package"-*/)
fi
empty "$database"

export MYSQL_TEST_HOST=$host MYSQL_TEST_PORT=$port MYSQL_TEST_USER=$user MYSQL_TEST_PASSWD=$password
export MYSQL_TEST_DB=$database MYSQL_TEST_SOCKET= MYSQL_TEST_CONNECT_FLAGS=0 MYSQL_TEST_SKIP_CONNECT_FAILURE=0
export PDO_MYSQL_TEST_DSN="mysql:host=$host;port=$port;dbname=$database" PDO_MYSQL_TEST_HOST=$host
export PDO_MYSQL_TEST_PORT=$port PDO_MYSQL_TEST_DB=$database PDO_MYSQL_TEST_USER=$user PDO_MYSQL_TEST_PASS=$password
export PDOTEST_DSN=$PDO_MYSQL_TEST_DSN PDOTEST_USER=$user PDOTEST_PASS=$password
export NO_INTERACTION=1 TEST_PHP_EXECUTABLE REPORT_EXIT_STATUS=0
TEST_PHP_EXECUTABLE=$(command -v php)
rm -rf tests
mkdir -p tests/ext
cp "$source/run-tests.php" tests/
cp -r "$source/ext/mysqli" "$source/ext/pdo" "$source/ext/pdo_mysql" tests/ext/
cd tests || exit 1
for extension in mysqli pdo_mysql; do
  php run-tests.php -q -j1 --no-color --offline --show-diff --set-timeout 40 "ext/$extension" >"$SUITE_OUTPUT/$extension.log" 2>&1
  tr '\r' '\n' <"$SUITE_OUTPUT/$extension.log" |
    sed -nE 's/^[^A-Z]*(PASS|FAIL|SKIP|XFAIL|XSKIP|BORK|WARN) .*\[(ext[^]]*\.phpt)\].*/\1 \2/p' | LC_ALL=C sort -k2
done
