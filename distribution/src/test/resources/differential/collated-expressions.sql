-- expressions with a collation of their own, and some that mix two, as keys of groups; a JSON that a function makes
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, s VARCHAR(20) COLLATE utf8mb4_unicode_ci, t VARCHAR(20) COLLATE utf8mb4_general_ci, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 'a', 'A'), (2, '2', 2, 'a', 'A'), (3, '3', 3, 'A', 'a'), (4, '4', 4, 'b', NULL), (5, '5', 5, 'ä', 'x');
SELECT CONCAT(s, n) AS x, COUNT(*) FROM ta GROUP BY CONCAT(s, n) ORDER BY x;
SELECT CONCAT(s, t) AS x FROM ta ORDER BY n;
SELECT COUNT(DISTINCT s COLLATE utf8mb4_bin) FROM ta;
SELECT MAX(u), s COLLATE utf8mb4_bin AS x FROM ta GROUP BY x ORDER BY x;
SELECT DISTINCT s COLLATE utf8mb4_bin AS x FROM ta ORDER BY x;
SELECT u, JSON_OBJECT('n', n) AS j FROM ta ORDER BY u, n;
