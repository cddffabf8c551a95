-- A UNION makes an INT of a short BIGINT: widths of expressions differed, and data sources with one table disagreed with those of two.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta (u, k, n) VALUES (1, 1, 1), (2, 3, -5), (3, 7, 2024), (4, 4, -2147483648), (5, 6, 2147483647);
SELECT MIN(YEAR(ta.n)) FROM ta;
SELECT IF(n IS NULL, NULL, n), NULLIF(u, 3) FROM ta ORDER BY u, k, n;
SELECT IF(n IS NULL, NULL, n), NULLIF(u, 3) FROM ta WHERE k IN (1, 3, 4) ORDER BY u, k, n;
SELECT ta.n % 3 AS x, MIN(NULLIF(ta.u, 1)) AS z FROM ta GROUP BY ta.n % 3 ORDER BY 1;
