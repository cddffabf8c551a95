-- a variable of a select list has its own name and type, wherever the list stands
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, g INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 9), (2, '2', 2, 6), (3, '3', 3, 9);
SET @m = 2, @s = '12', @d = 2.50;
(SELECT @m, n FROM ta ORDER BY n LIMIT 2);
(SELECT `@m` FROM (SELECT @m, n FROM ta) t ORDER BY n LIMIT 2);
(SELECT t.* FROM (SELECT @m AS x, n FROM ta) t ORDER BY n);
(SELECT n, g FROM ta WHERE n < 3) UNION ALL (SELECT @m, @d) ORDER BY 1, 2;
SELECT n FROM ta WHERE n = (SELECT @m);
INSERT INTO ta (u, k, n, g) SELECT u + 10, k, n, @m FROM ta;
INSERT INTO ta (u, k, n, g) SELECT @m + 20, @s, @m, 5;
SELECT * FROM ta WHERE u > 9 ORDER BY u;
(SELECT LAST_INSERT_ID() > 5, CONNECTION_ID() > 0, n FROM ta ORDER BY n LIMIT 1);
SELECT * FROM (SELECT LAST_INSERT_ID() + 0, n FROM ta) t ORDER BY n LIMIT 1;
