SELECT a.id, a.ti, a.su, a.mi, a.bu, a.de, a.fl, a.dbl, a.fd, a.bi, a.da, a.dt, a.ts, a.tm, a.ye, a.ch, a.vl, a.vu, a.u16, a.bn, a.vb, a.tx, a.bl, a.en, a.se, a.gen, HEX(a.js), b.id FROM t_types a LEFT JOIN t_log b ON a.id = b.id + 1 ORDER BY a.id
SELECT a.id, a.ti, a.su, a.mi, a.bu, a.de, a.fl, a.dbl, a.fd, a.bi, a.da, a.dt, a.ts, a.tm, a.ye, a.ch, a.vl, a.vu, a.u16, a.bn, a.vb, a.tx, a.bl, a.en, a.se, a.gen, JSON_VALUE(a.js, '$.a[1]') FROM t_types a JOIN t_types b ON a.id = b.id ORDER BY a.id
SELECT HEX(a.vl), HEX(a.vu), HEX(a.u16), HEX(a.ch), HEX(a.bn), HEX(a.tx), a.fl*1e0, a.dbl, a.fd*1e0, a.en+0, a.se+0, HEX(a.bi), UNIX_TIMESTAMP(a.ts), ST_AsText(a.pt), a.gen FROM t_types a JOIN t_types b ON a.id = b.id ORDER BY a.id
SELECT o.order_id, l.id, l.msg FROM t_order o JOIN t_log l ON o.user_id = l.user_id ORDER BY 1, 2
SELECT o.order_id, l.id FROM t_order o LEFT JOIN t_log l ON o.user_id = l.user_id AND l.n > 4 ORDER BY 1, 2
SELECT o.order_id, l.id FROM t_order o RIGHT JOIN t_log l ON o.user_id = l.user_id WHERE l.id < 6 ORDER BY 1, 2
SELECT o.order_id, l.id FROM t_order o LEFT JOIN t_log l ON o.user_id = l.user_id WHERE l.id IS NULL ORDER BY 1
SELECT o.order_id, l.id FROM t_order o LEFT JOIN t_log l ON o.user_id = l.user_id AND o.total > 5 WHERE o.order_id > 0 ORDER BY 1, 2
SELECT a.id, b.id FROM t_log a JOIN t_log b ON a.code = b.code AND a.id < b.id ORDER BY 1, 2
SELECT * FROM t_order NATURAL JOIN t_log ORDER BY order_id, id
SELECT * FROM t_item NATURAL JOIN t_order ORDER BY item_id
SELECT user_id, COUNT(*) FROM t_order JOIN t_log USING (user_id) GROUP BY user_id ORDER BY user_id
SELECT * FROM t_order o, t_log l, t_country c WHERE o.user_id = l.user_id AND l.code = c.code ORDER BY o.order_id, l.id
SELECT order_id FROM t_order WHERE user_id IN (SELECT user_id FROM t_log WHERE n > 4) ORDER BY 1
SELECT order_id FROM t_order WHERE user_id NOT IN (SELECT user_id FROM t_log WHERE user_id IS NOT NULL) ORDER BY 1
SELECT order_id FROM t_order WHERE user_id NOT IN (SELECT user_id FROM t_log) ORDER BY 1
SELECT order_id FROM t_order o WHERE EXISTS (SELECT * FROM t_log l WHERE l.user_id = o.user_id AND l.n >= o.total) ORDER BY 1
SELECT order_id FROM t_order o WHERE NOT EXISTS (SELECT 1 FROM t_log l WHERE l.user_id = o.user_id) ORDER BY 1
SELECT order_id, (SELECT MAX(n) FROM t_log l WHERE l.user_id = o.user_id) m FROM t_order o ORDER BY 1
SELECT order_id FROM t_order WHERE total = (SELECT MAX(total) FROM t_order)
SELECT order_id FROM t_order WHERE total > ALL (SELECT n FROM t_log WHERE n IS NOT NULL AND n < 10) ORDER BY 1
SELECT order_id FROM t_order WHERE total = (SELECT n FROM t_log)
SELECT * FROM (SELECT user_id, SUM(total) s FROM t_order GROUP BY user_id) x WHERE s > 5 ORDER BY user_id
SELECT x.user_id, x.c, l.msg FROM (SELECT user_id, COUNT(*) c FROM t_order GROUP BY user_id) x JOIN t_log l ON l.user_id = x.user_id ORDER BY 1, 3
WITH w AS (SELECT user_id, SUM(total) s FROM t_order GROUP BY user_id) SELECT w.*, l.id FROM w JOIN t_log l ON w.user_id = l.user_id ORDER BY 1, 3
WITH w AS (SELECT user_id, SUM(total) s FROM t_order GROUP BY user_id) SELECT a.user_id, b.user_id FROM w a JOIN w b ON a.s < b.s ORDER BY 1, 2
WITH RECURSIVE r AS (SELECT id, name, CAST(name AS CHAR(200)) path, 0 lv FROM t_emp WHERE boss IS NULL UNION ALL SELECT e.id, e.name, CONCAT(r.path, '/', e.name), r.lv + 1 FROM t_emp e JOIN r ON e.boss = r.id) SELECT * FROM r ORDER BY path
SELECT order_id, ROW_NUMBER() OVER (ORDER BY order_id) rn, SUM(total) OVER (PARTITION BY user_id ORDER BY order_id) s, LAG(order_id) OVER (ORDER BY order_id) p FROM t_order ORDER BY order_id
SELECT user_id, RANK() OVER (ORDER BY SUM(total) DESC) r FROM t_order GROUP BY user_id ORDER BY r, user_id
SELECT user_id, SUM(total) OVER w s FROM t_order WINDOW w AS (PARTITION BY user_id) ORDER BY 1, 2
SELECT user_id FROM t_order UNION SELECT user_id FROM t_log ORDER BY 1
SELECT user_id FROM t_order UNION ALL SELECT user_id FROM t_log ORDER BY 1
SELECT user_id FROM t_order INTERSECT SELECT user_id FROM t_log ORDER BY 1
SELECT user_id FROM t_order EXCEPT SELECT user_id FROM t_log ORDER BY 1
(SELECT order_id FROM t_order ORDER BY total DESC LIMIT 2) UNION ALL (SELECT id FROM t_log ORDER BY n LIMIT 2) ORDER BY 1
(SELECT order_id FROM t_order ORDER BY 1 LIMIT 3)
SELECT code, COUNT(*), SUM(n) FROM t_log GROUP BY code WITH ROLLUP
SELECT user_id, status, COUNT(*) FROM t_order GROUP BY user_id, status WITH ROLLUP
SELECT SUM(total)/COUNT(*)+1, MAX(total)-MIN(total) FROM t_order
SELECT user_id, SUM(total)/COUNT(*) q FROM t_order GROUP BY user_id HAVING SUM(total) > 2*COUNT(*) OR COUNT(*) > 1 ORDER BY q DESC
SELECT user_id FROM t_order GROUP BY user_id ORDER BY SUM(total)*2 - COUNT(*), user_id
SELECT GROUP_CONCAT(status ORDER BY order_id SEPARATOR '|') FROM t_order
SELECT user_id, GROUP_CONCAT(DISTINCT status ORDER BY status DESC) g FROM t_order GROUP BY user_id ORDER BY user_id
SELECT STDDEV(total), VARIANCE(total), VAR_SAMP(total), STD(order_id) FROM t_order
SELECT COUNT(DISTINCT user_id, status), COUNT(DISTINCT status), SUM(DISTINCT user_id) FROM t_order
SELECT LENGTH(JSON_ARRAYAGG(order_id)) FROM (SELECT order_id FROM t_order ORDER BY order_id LIMIT 100) x
SELECT DISTINCT user_id, COUNT(*) FROM t_order GROUP BY user_id, status ORDER BY 1, 2
SELECT DISTINCT user_id FROM t_order ORDER BY total
SELECT c.name, COUNT(l.id) FROM t_country c LEFT JOIN t_log l ON l.code = c.code GROUP BY c.name ORDER BY 1
SELECT o.order_id, c.v FROM t_order o JOIN t_conf c ON o.status = c.v ORDER BY 1
SELECT o.order_id, f.w FROM t_order o JOIN t_far f ON o.order_id = f.id ORDER BY 1
SELECT c.v, f.w FROM t_conf c JOIN t_far f ON c.id = f.id ORDER BY 1
SELECT c.v, (SELECT COUNT(*) FROM t_far) FROM t_conf c WHERE c.id = 2
SELECT l.id FROM t_log l WHERE l.msg LIKE 'a\\\\b%' AND l.id IN (SELECT item_id + 1 FROM t_item)
SELECT l.id, l.msg FROM t_log l WHERE l.msg LIKE '%€%' AND EXISTS (SELECT 1 FROM t_item)
SELECT o.order_id FROM t_order o WHERE o.created BETWEEN '2023-12-31' AND '2024-01-02' AND o.user_id IN (SELECT user_id FROM t_log) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE (o.total > 5 OR o.total < 0) AND o.status <> 'x' AND o.user_id IN (SELECT user_id FROM t_log) ORDER BY 1
SELECT COUNT(*) FROM t_order a, t_log b
SELECT COUNT(*) FROM t_order a JOIN t_log b ON a.order_id = b.id WHERE a.order_id = 3 AND b.id = 3
SELECT a.order_id, b.id FROM t_order a LEFT JOIN t_log b ON a.order_id = b.id AND b.id = 3 ORDER BY 1
SELECT a.order_id, b.id FROM t_order a LEFT JOIN (t_log b JOIN t_country c ON b.code = c.code AND b.n > 0) ON a.user_id = b.user_id ORDER BY 1, 2
SELECT nonsuch FROM t_order o JOIN t_log l ON o.user_id = l.user_id
SELECT user_id FROM t_order o JOIN t_log l ON o.user_id = l.user_id
SELECT * FROM t_order o JOIN t_log l ON o.user_id = l.user_id WHERE o.order_id = 1 AND l.id = 1
SELECT t_order.order_id FROM t_order USE INDEX (PRIMARY) JOIN t_log FORCE INDEX (PRIMARY) ON t_order.user_id = t_log.user_id ORDER BY 1
SELECT 'lit', 1.5, NULL, o.order_id + 1, CONCAT(o.status, 'x') FROM t_order o JOIN t_log l ON o.user_id = l.user_id WHERE l.id = 2
SELECT o.order_id FROM t_order o JOIN t_log l ON o.user_id = l.user_id ORDER BY l.n DESC, o.order_id LIMIT 2 OFFSET 1
SELECT o.order_id FROM t_order o JOIN t_log l ON o.user_id = l.user_id WHERE o.total > 1 LIMIT 0
SELECT o.order_id FROM t_order o JOIN t_log l ON o.user_id = l.user_id WHERE o.order_id = 2 FOR UPDATE
SELECT CASE WHEN EXISTS (SELECT 1 FROM t_log WHERE n > 100) THEN 'yes' ELSE 'no' END x FROM t_order WHERE order_id = 1 AND user_id = 1
SELECT MAX(x) FROM (SELECT order_id x FROM t_order UNION ALL SELECT id FROM t_log) u
SELECT a.id FROM t_log a WHERE a.n = (SELECT MAX(b.n) FROM t_log b WHERE b.code = a.code) ORDER BY 1
SELECT id, NTILE(3) OVER (ORDER BY id), FIRST_VALUE(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t_log ORDER BY id
SELECT user_id, COUNT(*) c, ROW_NUMBER() OVER () >= 0 FROM t_order GROUP BY user_id ORDER BY c DESC, user_id LIMIT 3
SELECT id FROM t_log WHERE n > (SELECT AVG(n) FROM t_log) ORDER BY id
SELECT @v FROM t_order o JOIN t_log l ON o.user_id = l.user_id LIMIT 1
SELECT l.id, o.order_id FROM t_log l LEFT JOIN t_order o ON o.user_id = l.user_id AND o.status = 'paid' WHERE l.id = 3
VALUES (1),(2)
SELECT BIT_OR(n), BIT_XOR(id) FROM t_log WHERE code IN (SELECT code FROM t_country)
SELECT d.x FROM (SELECT 1 x UNION SELECT 2) d WHERE d.x IN (SELECT id FROM t_log)
SELECT MEDIAN(n) OVER (PARTITION BY 1) FROM t_log LIMIT 1
SELECT u.user_id, u.t FROM (SELECT user_id, 'o' t FROM t_order UNION SELECT user_id, 'l' FROM t_log) u WHERE u.user_id IS NOT NULL ORDER BY 1, 2
SELECT id, msg FROM t_log WHERE (user_id, code) IN (SELECT user_id, 'at' FROM t_order) ORDER BY id
SELECT id FROM t_log l WHERE l.code = ANY (SELECT c.code FROM t_country c WHERE c.name LIKE 'A%') ORDER BY id
SELECT id, SUM(n) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) s FROM t_log l ORDER BY id
SELECT l.id, SUM(l.n) OVER (ORDER BY l.id, o.order_id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) s, o.order_id FROM t_log l, t_order o, (SELECT 1 a, 2 b) d WHERE l.user_id = o.user_id AND l.id IN (1, 2, 3) ORDER BY l.id, o.order_id
WITH w (a, b) AS (SELECT id, n FROM t_log) SELECT a, SUM(b) OVER (ORDER BY a ROWS 1 PRECEDING) FROM w ORDER BY a
SELECT j.x FROM t_log l, JSON_TABLE('[1,2]', '$[*]' COLUMNS (x INT PATH '$')) j WHERE l.id = j.x ORDER BY 1
SELECT s.*, l.id FROM t_shy s JOIN t_log l ON l.id = s.a ORDER BY 1
SELECT s.id, s.b FROM t_shy s JOIN t_log l ON l.id = s.a ORDER BY 1
SELECT a.en, a.se, COUNT(*) FROM t_types a JOIN t_types b ON a.en = b.en GROUP BY a.en, a.se ORDER BY a.en, a.se
SELECT MIN(bi), MAX(bi), COUNT(bi) FROM t_types
SELECT MAX(bi)+1 FROM t_types WHERE id > 0
SELECT o.order_id FROM t_order o WHERE o.user_id IN (SELECT l.user_id FROM t_log l WHERE l.code = 'at') ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.order_id = 2 AND o.user_id IN (SELECT l.n - 5 FROM t_log l) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.total > 5 AND o.user_id IN (SELECT l.user_id FROM t_log l) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.total > 5 AND o.user_id IN (SELECT l.user_id FROM t_log l WHERE l.id > 1 ORDER BY l.id) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_log l WHERE l.user_id = o.user_id AND l.n > 5) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT COUNT(*) FROM t_log l WHERE l.user_id = o.user_id AND l.n > 5) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_log l WHERE l.user_id = o.user_id AND l.n > 5 HAVING COUNT(*) = 0) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.order_id IN (SELECT COUNT(*) FROM t_log l WHERE l.user_id = o.user_id AND l.n > 50) OR o.order_id = 4 ORDER BY 1
SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_conf c LEFT JOIN t_log l ON l.id = c.id AND l.user_id = o.user_id WHERE c.v = 'two') ORDER BY 1
SELECT o.order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_conf c JOIN t_log l ON l.id = c.id AND l.user_id = o.user_id WHERE c.v <> 'two') ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.user_id NOT IN (SELECT l.user_id FROM t_log l WHERE l.code = 'at' AND l.user_id IS NOT NULL) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE NOT EXISTS (SELECT 1 FROM t_log l WHERE l.user_id = o.user_id AND l.n > 5) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.user_id IN (SELECT l.user_id FROM t_log l WHERE l.code = 'at') IS NOT TRUE ORDER BY 1
SELECT l.id, o.order_id FROM t_log l LEFT JOIN t_order o ON o.order_id = l.id AND o.user_id IN (SELECT c.id FROM t_conf c WHERE c.v = 'two') ORDER BY 1
SELECT l.id, o.order_id FROM t_log l LEFT JOIN t_order o ON o.order_id = l.id WHERE l.n IN (SELECT c.id + 4 FROM t_conf c) OR o.order_id IS NULL ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.user_id IN (SELECT l.user_id FROM t_log l WHERE l.n = 5 UNION SELECT c.id FROM t_conf c WHERE c.v = 'two') ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.order_id IN (SELECT i.order_id FROM t_item i GROUP BY i.order_id HAVING SUM(i.quantity) > 1) ORDER BY 1
SELECT o.order_id FROM t_order o WHERE o.order_id IN (SELECT DISTINCT e.boss FROM t_emp e WHERE e.name > 'c' AND EXISTS (SELECT 1 FROM t_log l WHERE l.id = e.id AND l.n > 0)) ORDER BY 1
