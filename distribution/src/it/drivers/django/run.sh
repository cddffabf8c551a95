#!/usr/bin/env bash
# Django over PyMySQL: those of its own tests that speak most with the database (schema, migrations, introspection,
# queries, transactions, generated keys), from its source distribution.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, SUITE_OUTPUT, SERVER_PORT (the database server's
# port, to empty the databases before). Uses the database `other` too.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
packages=(Django==5.2.19 PyMySQL==1.2.4 cryptography)
. "$here/../python-venv.sh"
source_of Django 5.2.19
mkdir -p "$SUITE_OUTPUT"
for database in "$5" other; do
  mariadb --no-defaults -h"$1" -P"$SERVER_PORT" -u"$3" -p"$4" \
    -e "DROP DATABASE $database; CREATE DATABASE $database CHARACTER SET utf8mb4"
done
cp "$here/suite_settings.py" "$SUITE_DIR/Django/tests/"
cd "$SUITE_DIR/Django/tests" || exit 1
export SUITE_HOST=$1 SUITE_PORT=$2 SUITE_USER=$3 SUITE_PASSWORD=$4 SUITE_DATABASE=$5
"$python" runtests.py --settings suite_settings --keepdb --noinput --parallel 1 -v 2 \
  basic bulk_create transactions transaction_hooks aggregation pagination get_or_create many_to_many migrations schema \
  introspection inspectdb select_for_update queries.test_bulk_update update delete dates datetimes db_functions.text \
  db_functions.datetime model_fields.test_decimalfield model_fields.test_binaryfield model_fields.test_jsonfield \
  model_fields.test_durationfield backends.mysql lookup ordering multiple_database >"$SUITE_OUTPUT/suite.log" 2>&1
grep -E ' \.\.\. ' "$SUITE_OUTPUT/suite.log" | LC_ALL=C sort
grep -E '^(Ran|OK|FAILED)' "$SUITE_OUTPUT/suite.log" | sed 's/ in [0-9.]*s//'
