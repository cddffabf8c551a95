-- what is added up has the digits of the session's variable, which no description of a part of the table knows
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, g INT, d DECIMAL(8,3), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 1, 1.5), (2, '2', 2, 1, 2.25), (3, '3', 3, 2, NULL), (4, '4', 4, 2, 4.125), (5, '5', 5, NULL, 8);
SET @x = 2.26, @i = 3, @d = CAST('1.234567' AS DECIMAL(10,6));
SELECT SUM(n * @x), AVG(n * @x) FROM ta;
SELECT SUM(n * @i), AVG(n * @i) FROM ta;
SELECT SUM(d * @d), AVG(d * @d), MAX(d * @d) FROM ta;
SELECT g, SUM(IF(n > 2, @x, 0)) FROM ta GROUP BY g ORDER BY g;
SELECT SUM(COALESCE(g, @x)), AVG(COALESCE(g, @x)) FROM ta;
SELECT SUM(n * @x) + 1, AVG(n) * @x FROM ta;
SELECT g, SUM(n = @i), COUNT(*) FROM ta GROUP BY g HAVING SUM(n * @x) > 5 ORDER BY g;
SET @y = 5;
SELECT SUM(n * @y), AVG(n * @y) FROM ta;
SELECT SUM(v), AVG(v) FROM (SELECT n * @x v FROM ta) t;
WITH x AS (SELECT n * @x v FROM ta) SELECT SUM(v), MAX(v) FROM x;
SELECT SUM(v) FROM (SELECT n v FROM ta UNION ALL SELECT @x FROM ta) t;
