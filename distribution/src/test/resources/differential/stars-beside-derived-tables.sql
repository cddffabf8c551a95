-- what * stands for beside a derived table without tables of its own has to be told apart
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, g INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 5), (2, '2', 2, 6), (3, '3', 3, NULL), (4, '4', 4, 8);
SELECT * FROM (SELECT 1 AS n, 2 AS g) v JOIN ta ON ta.n = v.n;
SELECT * FROM (SELECT 1 AS x, 2 AS g UNION SELECT 3, 4) v JOIN ta ON ta.n = v.x ORDER BY x;
SELECT v.*, ta.n FROM (SELECT 1 AS n, 2 AS g UNION SELECT 3, 4) v JOIN ta ON ta.n = v.n ORDER BY 1;
SELECT ta.*, v.g FROM ta, (SELECT 7 AS g) v ORDER BY ta.n;
SELECT * FROM (SELECT n, g FROM ta) v ORDER BY n;
