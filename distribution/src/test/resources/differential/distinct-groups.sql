-- A DISTINCT that changes nothing kept groups from being ordered by what they do not show.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, f DOUBLE, PRIMARY KEY (u, k, n));
CREATE TABLE tb (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, f DOUBLE, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, f) VALUES (1, 1, 1, 1.5), (2, 3, 2, 1.5), (3, 7, 3, 2.5), (4, 2, 4, NULL), (5, 6, 5, 0.5);
INSERT INTO tb (u, k, n, f) VALUES (1, 1, 7, 1.5), (2, 3, 8, 0.5), (3, 7, 9, NULL);
SELECT DISTINCT f, AVG(n) FROM ta GROUP BY f ORDER BY SUM(u), f;
SELECT DISTINCT a.f, AVG(b.n) FROM ta a LEFT JOIN tb b ON a.u = b.u AND a.k = b.k GROUP BY a.f ORDER BY SUM(a.n) / COUNT(*), a.f;
SELECT DISTINCT f, COUNT(*) * 2 FROM ta GROUP BY f ORDER BY MAX(n) - MIN(n), f;
SELECT DISTINCTROW f AS x, u % 2, COUNT(*) + 1 FROM ta GROUP BY f, u ORDER BY SUM(n) DESC, x, u;
