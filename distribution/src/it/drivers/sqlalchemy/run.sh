#!/usr/bin/env bash
# SQLAlchemy over PyMySQL: its dialect suite and its own tests of MySQL dialects, from its source distribution.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, SUITE_OUTPUT. Uses the database test_schema too.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
packages=(SQLAlchemy==2.1.9 PyMySQL==1.2.4 pytest==9.2.0)
. "$here/../python-venv.sh"
source_of SQLAlchemy 2.1.9
mkdir -p "$SUITE_OUTPUT"
cd "$SUITE_DIR/SQLAlchemy" || exit 1
# a test that is skipped for several reasons tells the same one each time
PYTHONHASHSEED=0 "$python" -m pytest -q --maxfail=100000 -p no:cacheprovider --log-level=ERROR --tb=short -rA \
  --dburi "mysql+pymysql://$3:$4@$1:$2/$5?charset=utf8mb4" \
  test/dialect/test_suite.py test/dialect/mysql >"$SUITE_OUTPUT/suite.log" 2>&1
grep -E '^(PASSED|FAILED|ERROR) ' "$SUITE_OUTPUT/suite.log" | sed 's/ - .*//' | LC_ALL=C sort
grep -E '^SKIPPED ' "$SUITE_OUTPUT/suite.log" | sed -E 's/^(SKIPPED \[[0-9]+\]).*: /\1 /' | LC_ALL=C sort
