#!/usr/bin/env bash
# Cases with PyMySQL and MySQL Connector/Python (pure; wheels without the C extension install everywhere): cursors of all kinds, TLS, compression.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR. Uses the database `other` too.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
packages=(PyMySQL==1.2.4 cryptography mysql-connector-python==26.10.0)
. "$here/../python-venv.sh"
# sets are printed in the same order
PYTHONHASHSEED=0 "$python" "$here/cases.py" "$@"
