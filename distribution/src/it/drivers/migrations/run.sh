#!/usr/bin/env bash
# Flyway and Liquibase over MariaDB Connector/J and MySQL Connector/J, and what JDBC's metadata tells of their tables.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
empty "$5"
"${client[@]}" "$5" -e 'DROP PROCEDURE IF EXISTS add_branch; DROP FUNCTION IF EXISTS branches'
mkdir -p "$SUITE_DIR/classes"
cp "$here/pom.xml" "$SUITE_DIR/"
cd "$SUITE_DIR" || exit 1
if [ ! -d lib ]; then
  mvn -q -B dependency:copy-dependencies -DoutputDirectory="$SUITE_DIR/lib" >install.log 2>&1 || { cat install.log >&2; exit 1; }
fi
javac --release 17 -cp 'lib/*' -d classes "$here"/*.java || exit 1
java -Xmx256m -cp 'lib/*:classes' -Dliquibase.analytics.enabled=false Cases "$@" "$here" 2>"$SUITE_DIR/log" |
  sed -E "s/127.0.0.1:$2/SERVER/g; s/\\(conn=[0-9]+\\)//g"
