-- A name within an expression of ORDER BY is a column first, and alone an alias first
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, v INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 5), (1, '1', 2, 5), (2, '2', 2, 4), (2, '3', 3, NULL), (3, '3', 3, 3), (3, '4', 4, 3), (0, '5', 5, 2), (7, '7', 7, NULL);
SELECT -t.u AS u, SUM(v) + 1 FROM ta t GROUP BY t.u ORDER BY u + 0 LIMIT 3;
SELECT -t.u AS u, SUM(v) + 1 FROM ta t GROUP BY t.u ORDER BY u LIMIT 3;
SELECT -t.u AS u, SUM(v) + 1 FROM ta t GROUP BY t.u ORDER BY (u) DESC LIMIT 3;
SELECT -t.u AS u, SUM(v) + 1 FROM ta t GROUP BY t.u ORDER BY -u, 1 LIMIT 3;
SELECT NULLIF(t.u, 0) AS u, SUM(v) / COUNT(*) FROM ta t GROUP BY t.u ORDER BY u IS NULL, u;
SELECT NULLIF(t.u, 0) AS u, SUM(v) / COUNT(*) FROM ta t GROUP BY t.u ORDER BY COALESCE(u, 9) DESC, u LIMIT 4;
SELECT t.u, SUM(v) + 1 AS s FROM ta t GROUP BY t.u ORDER BY s DESC, u LIMIT 4;
SELECT t.u, SUM(v) + 1 AS s FROM ta t GROUP BY t.u ORDER BY s IS NULL, s, u DESC;
