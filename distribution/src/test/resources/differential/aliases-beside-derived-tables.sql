-- GROUP BY looks for columns of derived tables before aliases; EXISTS counts the columns of a UNION
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, v INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 5), (1, '1', 2, 5), (2, '2', 2, 4), (2, '3', 3, NULL), (3, '3', 3, 3);
SET sql_mode = '';
SELECT IF(ta.n > 0, 1, 0) AS x, COUNT(*) FROM ta JOIN (SELECT 1 AS d, 10 AS x UNION ALL SELECT 2, 20 UNION ALL SELECT 3, 10) d ON d.d = ta.n GROUP BY x ORDER BY 1, 2;
SELECT IF(ta.n > 0, 1, 0) AS y, COUNT(*) FROM ta JOIN (SELECT 1 AS d, 10 AS x UNION ALL SELECT 2, 20 UNION ALL SELECT 3, 10) d ON d.d = ta.n GROUP BY y ORDER BY 1, 2;
SET sql_mode = DEFAULT;
SELECT u FROM ta x WHERE EXISTS (SELECT * FROM ta y WHERE y.n = x.u UNION ALL SELECT * FROM ta z WHERE z.v = x.u) ORDER BY u, k, n;
SELECT u FROM ta x WHERE EXISTS (SELECT * FROM ta y WHERE y.n = x.u) ORDER BY u, k, n;
SELECT u FROM ta x WHERE NOT EXISTS (SELECT z.* FROM ta z WHERE z.v = x.u UNION SELECT * FROM ta y WHERE y.n = x.u) ORDER BY u, k, n;
