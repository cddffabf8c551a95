-- Weights of grouped expressions count as not grouped under ONLY_FULL_GROUP_BY.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, e ENUM('z', 'a'), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta (u, k, n, s, e) VALUES (1, 1, 1, 'abc', 'z'), (2, 3, 2, 'axy', 'a'), (3, 7, 3, 'b', 'a'), (4, 4, 4, NULL, NULL), (5, 6, 5, 'a ', 'z');
SELECT LEFT(s, 1) AS l, COUNT(*) FROM ta GROUP BY l ORDER BY l;
SET sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES';
SELECT UPPER(LEFT(s, 1)) AS l, COUNT(*), SUM(n) FROM ta GROUP BY l ORDER BY l;
SELECT UPPER(LEFT(s, 1)), COUNT(*) FROM ta GROUP BY UPPER(LEFT(s, 1)) ORDER BY 1 DESC;
SELECT e, COUNT(*), MAX(n) FROM ta GROUP BY e ORDER BY e;
SELECT s, COUNT(DISTINCT u) FROM ta WHERE n < 5 GROUP BY s ORDER BY s;
SET sql_mode = DEFAULT;
