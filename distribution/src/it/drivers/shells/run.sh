#!/usr/bin/env bash
# mycli and Adminer, and what the mariadb client itself asks at a prompt.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
need mycli mycli
need /usr/share/adminer/adminer.php adminer
need php php-cli
mkdir -p "$SUITE_DIR"
cd "$SUITE_DIR" || exit 1
export HOME=$SUITE_DIR
empty "$5"
"${client[@]}" "$5" -e "CREATE TABLE river (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) COMMENT 'its name', doc JSON, KEY of_name (name)) COMMENT 'Rivers';
  INSERT INTO river (name) VALUES ('Elbe'), ('Öder 🌊'), (NULL); CREATE VIEW v_river AS SELECT name FROM river; CREATE TABLE branch (id INT PRIMARY KEY, river_id INT, FOREIGN KEY (river_id) REFERENCES river (id))"
for text in 'SELECT * FROM river' '\dt' '\dt river' 'DESCRIBE river' '\l' 'SHOW CREATE TABLE branch' "USE $5; SELECT DATABASE()" 'SELECT nothing' 'EXPLAIN SELECT * FROM river WHERE id = 1'; do
  echo "== mycli $text"
  mycli --no-warn -h "$1" -P "$2" -u "$3" -p"$4" "$5" --table -e "$text" 2>&1 | grep -vE '(information_schema|performance_schema|mysql|sys|shard_[0-9]|actual_[a-z_]+) *\|'
done
for text in 'SHOW TABLES' '\s' 'help contents' 'SHOW INDEX FROM river' "SHOW FULL COLUMNS FROM $5.river" "SHOW TABLE STATUS LIKE 'r%'"; do
  echo "== mariadb $text"
  "${client[@]}" -t "$5" -e "$text" 2>&1 | grep -vE '^(Connection id|Uptime|Threads|TCP port|Server version|Current user|Connection:|SSL:|mariadb  Ver)|Create_time|[0-9]{4}-[0-9]{2}-[0-9]{2}'
done

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
php -S "127.0.0.1:$port" -t /usr/share/adminer >php.log 2>&1 &
php=$!
trap 'kill $php' EXIT
python3 "$here/adminer.py" "http://127.0.0.1:$port/adminer.php" "$1:$2" "$3" "$4" "$5"
