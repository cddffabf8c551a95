-- the derived table stayed in the UPDATE by keys: of the node's own rows, and 1052 where both have the column
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, v INT, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, v) VALUES (0, 3, 1, 1), (1, 1, 2, 2), (1, 2, 3, 3), (2, 5, 4, 4), (3, 6, 5, 5), (3, 7, 6, NULL);
UPDATE ta a, (SELECT u, MAX(k) m FROM ta GROUP BY u) b SET a.v = 100 WHERE a.u = b.u AND a.k = b.m;
SELECT * FROM ta ORDER BY n;
UPDATE ta a JOIN (SELECT u AS uu, MIN(k) AS m FROM ta GROUP BY u) b ON a.u = b.uu AND a.k = b.m SET a.v = a.n + b.m;
SELECT * FROM ta ORDER BY n;
UPDATE ta a JOIN (SELECT 1 AS one UNION SELECT 3) b ON a.u = b.one SET a.v = -1 WHERE a.v > 2;
SELECT * FROM ta ORDER BY n;
DELETE a FROM ta a JOIN (SELECT u, MAX(k) m FROM ta GROUP BY u) b ON a.u = b.u AND a.k = b.m;
SELECT * FROM ta ORDER BY n;
