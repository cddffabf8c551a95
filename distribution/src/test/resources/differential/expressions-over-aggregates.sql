-- computed by a database over the merged groups: names, types and values are the plain database's
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, d DECIMAL(10,2), f DOUBLE, t DATE, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, d, f, t) VALUES (1, 1, 1, 1.10, 0.5, '2024-01-31'), (1, 2, 2, NULL, 2.5, NULL), (2, 1, 3, 2.25, NULL, '2024-02-29'), (3, 4, 4, -7.77, 1e10, '1999-12-31'), (3, 5, 5, 3.33, 0, NULL);
SELECT IFNULL(SUM(d), 0), COALESCE(MAX(n), 0) + 1, ROUND(AVG(d), 1), AVG(n) * 3 FROM ta;
SELECT IFNULL(SUM(d), 0), COUNT(*) * 2 FROM ta WHERE n > 100;
SELECT u, SUM(d) / COUNT(*) AS r FROM ta GROUP BY u HAVING COUNT(*) > 1 OR SUM(f) IS NULL ORDER BY SUM(n) DESC, u LIMIT 2;
SELECT DISTINCT u, COUNT(*) FROM ta GROUP BY u ORDER BY u;
SELECT u, CASE WHEN MAX(t) > '2024-01-01' THEN 'new' ELSE 'old' END AS age FROM ta GROUP BY u ORDER BY 2, 1;
SELECT COUNT(DISTINCT k) + 1, SUM(f) - SUM(d) FROM ta;
