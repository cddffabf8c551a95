-- a server reads groups by a key where there is one, and keeps no table of them that rounds
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, g INT, h INT, d DECIMAL(10,3), e ENUM('zeta', 'alpha', 'mid'), z INT(6) ZEROFILL, PRIMARY KEY (u, k, n), KEY by_g (g), KEY by_hg (h, g));
INSERT INTO ta VALUES (1, 1, 1, 10, 1, 1.5, 'alpha', 42), (2, 2, 2, 20, 1, 2.25, 'zeta', 7), (3, 3, 3, 10, 2, -3.125, 'mid', 999999), (4, 4, 4, NULL, NULL, NULL, NULL, NULL), (5, 5, 5, 30, 1, 100, 'zeta', 0), (6, 6, 6, 20, 2, 0.001, 'alpha', 123456), (7, 7, 7, 10, 1, 99.999, 'alpha', 42);
SELECT g, SUM(g/3) FROM ta GROUP BY g ORDER BY g;
SELECT g, SUM(d/7), AVG(d/7), AVG(d) FROM ta GROUP BY g ORDER BY g;
SELECT g, MAX(e)+1, IF(MAX(e), 'y', 'n'), CONCAT(MAX(z)), SQRT(ABS(AVG(d))) FROM ta GROUP BY g ORDER BY g;
SELECT h, g, SUM(d/7), CONCAT(MIN(z)) FROM ta GROUP BY h, g ORDER BY h, g;
SELECT h, SUM(d/7), CONCAT(MIN(z)) FROM ta GROUP BY h ORDER BY h;
SELECT d, SUM(g/7), CONCAT(MIN(z)), MAX(e)+1 FROM ta GROUP BY d ORDER BY d;
SELECT u, SUM(d/7), MAX(e)+1 FROM ta GROUP BY u ORDER BY u;
SELECT g, SUM(g/3) FROM ta WHERE g > 5 GROUP BY g ORDER BY g;
SELECT q.g, q.v FROM (SELECT g, SUM(g/3) v FROM ta GROUP BY g) q ORDER BY 1;
SELECT g, SUM(g/3), COUNT(*) FROM ta GROUP BY g HAVING COUNT(*) > 1 ORDER BY g;
