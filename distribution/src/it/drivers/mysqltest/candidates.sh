#!/usr/bin/env bash
# Prints the cases of the suite's main part that need nothing but a connection: run them directly, twice, and keep in
# cases.txt those that end well with the same output both times.
#
# usage: SUITE_DIR=... candidates.sh
cd "$SUITE_DIR/usr/share/mysql/mysql-test/main" || exit 1
# What starts programs or servers, asks for a certain build, other accounts, other databases, or changes the server itself.
needs='^ *-?-? *exec|\$MYSQL|\$EXE|restart|shutdown|master-slave|replication|have_(debug|perfschema|log_bin|binlog|semisync|udf|example|archive|mroonga|oqgraph|rocksdb|sphinx|symlink|case|lowercase|feedback|des|wsrep|ssl|profiling|connect|plugin|aria|blackhole|federated)|wait_for_|grant|create +user|create +role|set +password|(create|drop|use) +(database|schema|if|mysql|mysqltest)|^ *-?-?connect *\(|change_user|global|outfile|infile|dumpfile|load_file|write_file|remove_file|cat_file|file_exists|perl|kill|processlist|have_working_dns|big_test|embedded|install +(plugin|soname)|flush|reset|show +(master|binary|status|engines|plugins|variables)|\$datadir|datadir|debug|ddl_log|mysqld|sleep|information_schema|handler_|performance_schema|mysql\.|connection_id|server_id|gtid|optimizer_trace|uuid|charset_server|rand\(|show_profile|show +profile'
for file in *.test; do
  name=${file%.test}
  [ ! -e "$name.opt" ] && [ ! -e "$name.cnf" ] && [ ! -e "$name-master.opt" ] && [ ! -e "$name.combinations" ] || continue
  grep -qiE "$needs" "$file" && continue
  echo "$name"
done
