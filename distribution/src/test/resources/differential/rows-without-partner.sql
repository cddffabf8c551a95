-- Rows that an outer join leaves without a partner matter to subqueries, too.
CREATE TABLE ta (u INT NOT NULL, k INT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta (u, k, n) VALUES (-3, 1, 36), (1, 2, 5), (2, 3, 7);
CREATE TABLE tb (u INT NOT NULL, k INT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO tb (u, k, n) VALUES (1, 2, 5), (2, 3, 8), (-3, 1, 1);
CREATE TABLE td (u INT NOT NULL, k INT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO td (u, k, n) VALUES (1, 2, 3), (7, 7, 7);
SELECT DISTINCT c.u, SUM(a.n + 1), MAX(a.n) FROM ta a LEFT JOIN tb b ON a.u = b.u AND a.k = b.k LEFT JOIN td c ON c.u = a.u WHERE a.n = (SELECT MAX(s.n) FROM ta s WHERE s.u = a.u) GROUP BY c.u ORDER BY c.u;
SELECT c.u, c.n FROM td c LEFT JOIN ta a ON a.u = c.u AND a.k = c.k WHERE NOT EXISTS (SELECT 1 FROM tb s WHERE s.u = c.u AND s.k = c.k AND s.n > 7) ORDER BY c.u;
SELECT a.n, b.n FROM ta a LEFT JOIN tb b ON a.u = b.u AND a.k = b.k AND b.n < 6 WHERE EXISTS (SELECT 1 FROM ta s WHERE s.u = b.u AND s.k = b.k) OR a.n = 7 ORDER BY a.n;
SELECT a.n, (SELECT COUNT(*) FROM tb s WHERE s.u = a.u) AS c FROM ta a LEFT JOIN td d ON d.u = a.u ORDER BY a.n;
