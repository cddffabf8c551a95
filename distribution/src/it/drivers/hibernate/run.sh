#!/usr/bin/env bash
# Hibernate ORM over MariaDB Connector/J and MySQL Connector/J: schema, CRUD, pagination, locks, batches.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, CASES=crud for the cases of sharded tables alone
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
mkdir -p "$SUITE_DIR/classes"
cp "$here/pom.xml" "$SUITE_DIR/"
cd "$SUITE_DIR" || exit 1
if [ ! -d lib ]; then
  mvn -q -B dependency:copy-dependencies -DoutputDirectory="$SUITE_DIR/lib" >install.log 2>&1 || { cat install.log >&2; exit 1; }
fi
javac --release 17 -cp 'lib/*' -d classes "$here"/*.java || exit 1
java -Xmx256m -cp 'lib/*:classes' -Dorg.jboss.logging.provider=jdk -Djava.util.logging.config.file="$here/logging.properties" \
  Cases "$@" "${CASES:-all}"
