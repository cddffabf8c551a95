#!/bin/bash
# Orders and looks at orders, a few a second, on one connection after the other.
set -u
order() { # id
  printf 'BEGIN; INSERT INTO t_order VALUES (%d, %d, "open", %d.50); INSERT INTO t_order_item VALUES (%d, %d, %d, "pen", %d); COMMIT;\n' \
    "$1" $(($1 % 500)) $(($1 % 90)) "$1" "$1" $(($1 % 500)) $(($1 % 9 + 1))
}
statements() {
  local first=$1 id
  for ((id = first; id < first + 50; id++)); do
    order "$id"
    printf 'SELECT * FROM t_order WHERE user_id = %d AND order_id = %d;\n' $((id % 500)) "$id"
    printf 'UPDATE t_order SET status = "paid" WHERE user_id = %d AND order_id = %d;\n' $((id % 500)) "$id"
    ((id % 10 != 0)) || printf 'SELECT status, COUNT(*), SUM(total) FROM t_order GROUP BY status ORDER BY status;\n'
    ((id % 25 != 0)) || printf 'DELETE FROM t_order WHERE order_id < %d AND order_id > 1000; DELETE FROM t_order_item WHERE order_id < %d AND order_id > 1000;\n' $((id - 5000)) $((id - 5000))
    sleep 0.2
  done
}
while :; do
  statements "$(date +%s)0" | mysql -hbalancer -P3307 -ushop -pshop-demo --ssl-mode=DISABLED shop >/dev/null || sleep 1
done
