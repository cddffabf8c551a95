#!/bin/bash
# Runs inside the compose network, once. Repeating it is harmless.
set -eu
run() { mysql -h"$1" -uroot -proot-demo -e "$2"; }
for n in 0 1; do
  run "primary-$n" "CREATE DATABASE IF NOT EXISTS shop;
    CREATE USER IF NOT EXISTS proxy@'%' IDENTIFIED BY 'proxy-demo'; 
    GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE TEMPORARY TABLES, LOCK TABLES, EXECUTE,
      CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, EVENT, TRIGGER ON shop.* TO proxy@'%';
    GRANT REPLICATION CLIENT ON *.* TO proxy@'%'; GRANT SELECT ON performance_schema.* TO proxy@'%';
    CREATE USER IF NOT EXISTS repl@'%' IDENTIFIED BY 'repl-demo'; GRANT REPLICATION SLAVE ON *.* TO repl@'%';"
  # A cluster that was stopped replicates again by itself: to begin anew would apply its rows twice.
  [ -z "$(mysql -h"replica-$n" -uroot -proot-demo -NBe "SELECT host FROM performance_schema.replication_connection_configuration WHERE host <> ''")" ] || continue
  run "replica-$n" "STOP REPLICA; RESET BINARY LOGS AND GTIDS; RESET REPLICA ALL;
    CHANGE REPLICATION SOURCE TO SOURCE_HOST='primary-$n', SOURCE_USER='repl', SOURCE_PASSWORD='repl-demo',
      SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1;
    START REPLICA; SET GLOBAL super_read_only=ON;"
done
for n in 0 1; do
  for _ in $(seq 60); do
    state=$(mysql -h"replica-$n" -uroot -proot-demo -NBe "SELECT service_state FROM performance_schema.replication_applier_status" 2>/dev/null || true)
    [ "$state" = ON ] && mysql -h"replica-$n" -uproxy -pproxy-demo -e "SELECT 1" shop >/dev/null 2>&1 && continue 2
    sleep 1
  done
  echo "replica-$n did not catch up" >&2
  exit 1
done
echo "replication runs"
