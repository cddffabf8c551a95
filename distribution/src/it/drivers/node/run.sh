#!/usr/bin/env bash
# Cases with mysql2 and Sequelize (mysql2 does not ship its tests).
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, CASES=crud for what runs on sharded tables
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
mkdir -p "$SUITE_DIR"
cp "$here"/*.js "$here"/package.json "$SUITE_DIR/"
cd "$SUITE_DIR" || exit 1
[ -d node_modules/sequelize ] || npm install --silent --no-audit --no-fund >&2 || exit 1
if [ "${CASES:-all}" = all ]; then
  node driver.js "$@" || exit 1
fi
node orm.js "$@" "${CASES:-all}"
