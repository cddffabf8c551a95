-- layout: two sources, two tables each
-- Servers store quotients and averages with more digits than they tell. A query whose rows are
-- read before they are written has to ask for these digits.
CREATE TABLE ta (u INT NOT NULL, k INT NOT NULL, d DECIMAL(10,2), f DOUBLE, x DECIMAL(40,30), e INT, PRIMARY KEY (k, u));
CREATE TABLE tb (u INT NOT NULL, k INT NOT NULL, x DECIMAL(40,30), f DOUBLE, e INT, PRIMARY KEY (k));
INSERT INTO ta (u, k, d, f) VALUES (1, 1, 25, 0.1), (2, 2, 7.5, 1e-9), (3, 3, -1, 7), (4, 4, NULL, NULL), (5, 5, 49.99, 3);
INSERT INTO tb (u, k, x, f, e) SELECT u, k, d / 12, d / 7, d / 100 FROM ta;
SELECT u, k, x, f, e FROM tb ORDER BY k;
DELETE FROM tb;
INSERT INTO tb (u, k, x, f, e) SELECT 1, MAX(k), AVG(d) / 7, AVG(d), MAX(d) / 100 FROM ta;
SELECT u, k, x, f, e FROM tb ORDER BY k;
DELETE FROM tb;
INSERT INTO tb (u, k, x, f, e) SELECT u, MAX(k), AVG(d) AS a, SUM(d) / 7 AS s, AVG(DISTINCT d) FROM ta GROUP BY u HAVING a > 0 ORDER BY s;
SELECT u, k, x, f, e FROM tb ORDER BY k;
DELETE FROM tb;
INSERT INTO tb (u, k, x, f) SELECT q.u, q.k, q.z, q.z / 3 FROM (SELECT u, k, d / 7 z FROM ta) q;
SELECT u, k, x, f FROM tb ORDER BY k;
DELETE FROM tb;
INSERT INTO tb (u, k, x, f, e) VALUES (1, 1, (SELECT AVG(d) FROM ta), (SELECT AVG(d) / 3 FROM ta), 5);
INSERT INTO tb (u, k, x) SELECT 2, 2, d / 7 FROM ta WHERE k = 1 UNION ALL SELECT 3, 3, d / 7 FROM ta WHERE k = 2;
INSERT INTO tb (u, k, x) SELECT 4, 4, SUM(d / 7) FROM ta;
INSERT INTO tb (u, k, x, f) SELECT u, k + 10, AVG(d) OVER (), SUM(d) OVER (ORDER BY k) / 7 FROM ta;
INSERT INTO tb (u, k, x, f) SELECT u, k + 100, d / 7, d / 9 FROM ta ON DUPLICATE KEY UPDATE x = VALUES(x);
REPLACE INTO tb (u, k, x, f) SELECT u, k + 100, d / 9, d / 11 FROM ta WHERE k < 3;
SELECT u, k, x, f, e FROM tb ORDER BY k;
UPDATE ta SET x = (SELECT AVG(u) / 7 FROM tb), f = (SELECT MAX(u) FROM tb) / 7, e = (SELECT 49999 / 100000 FROM tb LIMIT 1);
SELECT u, k, x, f, e FROM ta ORDER BY k;
UPDATE ta JOIN tb ON tb.k = ta.k + 100 SET ta.x = tb.u / 7, ta.f = tb.u / 9;
SELECT u, k, x, f, e FROM ta ORDER BY k;
SELECT MAX(u / 3) * 3, MIN(u / 7) * 7 FROM ta;
DELETE FROM tb;
INSERT INTO tb (u, k, x, f) SELECT u, k, ROUND(f, 1) * 3.33, ROUND(f, 1) + 0.123 FROM ta WHERE k > 1;
INSERT INTO tb (u, k, f) SELECT 1, 20, AVG(ROUND(f, 1)) FROM ta;
INSERT INTO tb (u, k, x) (SELECT u, k + 30, d / 7 FROM ta ORDER BY k DESC) LIMIT 2;
SELECT u, k, x, f FROM tb ORDER BY k;
