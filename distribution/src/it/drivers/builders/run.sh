#!/usr/bin/env bash
# Knex (schema builder, migrations, queries) and TypeORM (synchronize, migrations, relations) over mysql2.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
empty "$5"
mkdir -p "$SUITE_DIR"
cp "$here"/*.js "$here"/package.json "$SUITE_DIR/"
cd "$SUITE_DIR" || exit 1
[ -d node_modules/typeorm ] || npm install --silent --no-audit --no-fund >&2 || exit 1
node knex.js "$@"
empty "$5"
node typeorm.js "$@"
