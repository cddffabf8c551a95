-- to floating numbers an AVG is its sum through its count, not the decimals that it tells
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, g INT, d DECIMAL(8,3), f DOUBLE, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 1, 1.5, 0.5), (2, '2', 2, 1, 2.25, 0.25), (3, '3', 3, 2, NULL, NULL), (4, '4', 4, 2, 4.125, 4), (5, '5', 5, 1, 8, 1.5), (6, '6', 7, 2, 1, 2);
SET @f = 2.25e0, @s = '2.25', @d = 2.25;
SELECT AVG(n) * 2.25e0, AVG(n) * '2.25', SQRT(AVG(n)), AVG(d) + 1e0, AVG(n) / 3e0 FROM ta;
SELECT g, AVG(d) * 1e0, POW(AVG(n), 2) FROM ta GROUP BY g ORDER BY g;
SELECT g, AVG(n) * SUM(f), AVG(d) + MAX(f) FROM ta GROUP BY g ORDER BY g;
SELECT g FROM ta GROUP BY g HAVING SQRT(AVG(n)) > 1.5 AND AVG(n) > 2 ORDER BY AVG(n) * 1e0 DESC;
(SELECT AVG(n) * @f, AVG(n) * @s, AVG(n) * @d, AVG(f) * 2, AVG(n) > 2.5e0 FROM ta);
SELECT AVG(n) * 3, AVG(d) - 0.5, ROUND(AVG(n), 2), IFNULL(AVG(d), 0) FROM ta;
