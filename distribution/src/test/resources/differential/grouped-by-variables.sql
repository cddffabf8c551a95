-- an expression with a variable is the one of the select list, where both are written alike
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, g INT, PRIMARY KEY (u, k, n));
INSERT INTO ta VALUES (1, 1, 1, 9), (2, 2, 2, 6), (3, 3, 3, 9), (4, 4, 4, NULL), (5, 5, 5, 6), (6, 6, 6, 1);
SET @x = 3, @d = 1.50;
SELECT g * @x, COUNT(*) FROM ta GROUP BY g * @x ORDER BY 1;
SELECT g * @x, COUNT(*) FROM ta GROUP BY g * @x ORDER BY g * @x DESC;
SELECT g + @d AS v, SUM(n) FROM ta GROUP BY g + @d ORDER BY v;
SELECT DISTINCT g * @x FROM ta ORDER BY g * @x;
SELECT k, g * @x v FROM ta ORDER BY g * @x, k LIMIT 3;
SELECT g * @x, n % 2, COUNT(*) FROM ta GROUP BY g * @x, n % 2 ORDER BY 1, 2;
