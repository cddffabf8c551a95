-- Clients see four tables; the databases hold eight parts of each sharded one.
SHOW TABLES;
-- Both sharding columns are known: one table of one replica, no merging.
EXPLAIN ROUTE SELECT * FROM t_order WHERE user_id = 1 AND order_id = 5;
SELECT * FROM t_order WHERE user_id = 1 AND order_id = 5;
-- No sharding column: one statement per data source, its tables joined by UNION ALL; merged and ordered here.
EXPLAIN ROUTE SELECT order_id, status, total FROM t_order ORDER BY total DESC LIMIT 3;
SELECT order_id, status, total FROM t_order ORDER BY total DESC LIMIT 3;
-- Aggregates are computed in the databases and finished here, in MySQL's own types.
EXPLAIN ROUTE SELECT status, COUNT(*), SUM(total), AVG(total) FROM t_order GROUP BY status ORDER BY status;
SELECT status, COUNT(*), SUM(total), AVG(total) FROM t_order GROUP BY status ORDER BY status;
-- Orders and items are placed alike (binding tables), so the join stays within one database.
SELECT o.order_id, i.sku, i.quantity FROM t_order o JOIN t_order_item i ON i.order_id = o.order_id AND i.user_id = o.user_id WHERE o.user_id = 1 AND o.order_id = 5;
-- A broadcast table is everywhere, a single table in one place.
EXPLAIN ROUTE SELECT name FROM t_country WHERE code = 'at';
SELECT value FROM t_setting WHERE name = 'currency';
-- Writes go to a primary.
EXPLAIN ROUTE UPDATE t_order SET status = 'sent' WHERE user_id = 1 AND order_id = 1;
UPDATE t_order SET status = 'sent' WHERE user_id = 1 AND order_id = 1;
