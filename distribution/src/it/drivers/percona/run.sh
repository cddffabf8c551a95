#!/usr/bin/env bash
# percona-toolkit: pt-online-schema-change, pt-archiver, pt-table-checksum, pt-find, pt-duplicate-key-checker, pt-show-grants,
# pt-table-sync, pt-index-usage, pt-kill. (Pages of an index are an estimate, and its size with them.)
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
need pt-online-schema-change percona-toolkit
mkdir -p "$SUITE_DIR"
cd "$SUITE_DIR" || exit 1
export PTDEBUG=0 HOME=$SUITE_DIR
empty "$5"
"${client[@]}" "$5" <<SQL
CREATE TABLE river (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40), n INT, KEY n (n), KEY n_again (n), KEY name_n (name, n), KEY name_alone (name));
CREATE TABLE old_river LIKE river;
INSERT INTO river (name, n) SELECT CONCAT('r', seq), seq % 7 FROM (SELECT 1 AS seq $(for i in $(seq 2 300); do printf ' UNION ALL SELECT %s' "$i"; done)) s;
CREATE TABLE child (id INT PRIMARY KEY, river_id INT, FOREIGN KEY (river_id) REFERENCES river (id));
INSERT INTO child VALUES (1, 1), (2, 2);
SQL
dsn="h=$1,P=$2,u=$3,p=$4,D=$5"
told() { # name command...
  echo "== $1"
  shift
  timeout 120 "$@" 2>&1 | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{8}/TIME/g; s/[0-9]{2}-[0-9]{2}T[0-9:]{8}/TIME/g; s/\b[0-9]+\.[0-9]+ /N /g; s/pt-[a-z-]+\.[0-9]+|line [0-9]+/X/g; s/\b(processlist|port|pid) [0-9]+/\1 N/gI'"; s/127.0.0.1:$2|P=$2/SERVER/g; s/(# Size Duplicate Indexes) .*/\1/; s/ .\*percona-toolkit .*//"
  echo "exit code ${PIPESTATUS[0]}"
}
state() { "${client[@]}" -N "$5" -e 'SHOW TABLES; SHOW CREATE TABLE river; SELECT COUNT(*), SUM(n), MIN(name) FROM river; SELECT COUNT(*) FROM old_river; SHOW CREATE TABLE child' 2>&1; }
told "online schema change, dry" pt-online-schema-change --alter 'ADD COLUMN more INT NOT NULL DEFAULT 3' --dry-run --alter-foreign-keys-method=rebuild_constraints "$dsn,t=river"
told "online schema change" pt-online-schema-change --alter 'ADD COLUMN more INT NOT NULL DEFAULT 3' --execute --chunk-size=50 --alter-foreign-keys-method=rebuild_constraints --recursion-method=none --max-load Threads_running=1000 --critical-load Threads_running=2000 "$dsn,t=river"
state "$@"
"${client[@]}" "$5" -e 'ALTER TABLE old_river ADD COLUMN more INT NOT NULL DEFAULT 3'
told "archiver" pt-archiver --source "$dsn,t=river" --dest "$dsn,t=old_river" --where 'n = 3' --limit 10 --commit-each --no-check-charset --columns id,name,n,more
state "$@"
told "archiver, purge" pt-archiver --source "$dsn,t=old_river" --purge --no-check-charset --where 'id < 100' --limit 20 --txn-size 20
"${client[@]}" -N "$5" -e 'SELECT COUNT(*) FROM old_river'
told "duplicate keys" pt-duplicate-key-checker -h "$1" -P "$2" -u "$3" -p "$4" -d "$5"
told "find" pt-find --host "$1" --port "$2" --user "$3" --password "$4" "$5" --tablesize +0 --printf '%D.%N %E\n'
told "find by engine" pt-find --host "$1" --port "$2" --user "$3" --password "$4" "$5" --engine InnoDB
told "fifo of table usage" pt-table-usage --query 'SELECT r.id FROM river r JOIN child c ON c.river_id = r.id'
told "table sync" pt-table-sync --print "$dsn,t=river" "$dsn,t=old_river"
told "index usage" pt-index-usage --host "$1" --port "$2" --user "$3" --password "$4" --databases "$5" /dev/null
told "table checksum" pt-table-checksum --host "$1" --port "$2" --user "$3" --password "$4" --databases "$5" --replicate "$5.checksums" --no-check-binlog-format --recursion-method=none --chunk-size 100 --max-load Threads_running=1000 --no-check-replication-filters --set-vars innodb_lock_wait_timeout=1
"${client[@]}" -N "$5" -e 'SELECT tbl, chunk, this_cnt, this_crc FROM checksums ORDER BY 1, 2' 2>&1
told "kill" pt-kill --host "$1" --port "$2" --user "$3" --password "$4" --match-info 'no such thing' --print --run-time 1 --interval 1
told "show grants" bash -c "pt-show-grants --host $1 --port $2 --user $3 --password $4 --only $3 | grep -v '^--' | sed -E 's/ (IDENTIFIED|WITH GRANT).*/;/'"
