#!/usr/bin/env bash
# go-sql-driver/mysql: its own test suite (it comes with the module), then cases with it and GORM.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, SUITE_OUTPUT, CASES=crud for cases.go alone
set -uo pipefail
host=$1 port=$2 user=$3 password=$4 database=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
mkdir -p "$SUITE_DIR" "$SUITE_OUTPUT"
cp "$here"/*.go "$here"/go.mod "$here"/go.sum "$SUITE_DIR/"
cd "$SUITE_DIR" || exit 1
go build -o cases . || exit 1
if [ "${CASES:-all}" = all ]; then
  if [ ! -x driver.test ]; then
    rm -rf driver
    cp -r "$(go list -m -f '{{.Dir}}' github.com/go-sql-driver/mysql)" driver
    chmod -R u+w driver
    (cd driver && go test -c -o ../driver.test .) || exit 1
  fi
  # It dials an address of the internet and dies where there is none.
  skip='^TestConnectorReturnsTimeout$'
  (
    cd driver
    MYSQL_TEST_USER=$user MYSQL_TEST_PASS=$password MYSQL_TEST_PROT=tcp MYSQL_TEST_ADDR=$host:$port \
      MYSQL_TEST_DBNAME=$database ../driver.test -test.v -test.skip "$skip"
  ) >"$SUITE_OUTPUT/driver.log" 2>&1
  grep -E '^ *--- ' "$SUITE_OUTPUT/driver.log" | sed 's/ ([0-9.]*s)$//' | LC_ALL=C sort
fi
./cases "$user:$password@tcp($host:$port)/$database" "${CASES:-all}"
