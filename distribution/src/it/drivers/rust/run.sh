#!/usr/bin/env bash
# The Rust drivers mysql and mysql_async: their own tests, which come with the crates.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR, SUITE_OUTPUT
set -uo pipefail
host=$1 port=$2 user=$3 password=$4 database=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
mkdir -p "$SUITE_DIR" "$SUITE_OUTPUT"
cp "$here/Cargo.toml" "$here/Cargo.lock" "$SUITE_DIR/"
cd "$SUITE_DIR" || exit 1
touch empty.rs
[ -d vendor ] || cargo vendor --locked --versioned-dirs >/dev/null 2>"$SUITE_DIR/vendor.log" || { cat "$SUITE_DIR/vendor.log" >&2; exit 1; }
for crate in mysql-28.0.4 mysql_async-0.37.1; do
  if [ ! -d "$crate" ]; then
    cp -r "vendor/$crate" "$crate"
    # A file that the tests read and the crate lacks.
    mkdir -p "$crate/tests/fixtures"
    openssl genrsa 2048 2>/dev/null | openssl rsa -pubout -out "$crate/tests/fixtures/server-public-key.pem" 2>/dev/null
  fi
  (
    cd "$crate" || exit 1
    DATABASE_URL="mysql://$user:$password@$host:$port/$database" cargo test --lib -- --test-threads=1
  ) >"$SUITE_OUTPUT/$crate.log" 2>&1
  grep -E '^test .* \.\.\. ' "$SUITE_OUTPUT/$crate.log" | sed "s/^/$crate: /" | LC_ALL=C sort
done
