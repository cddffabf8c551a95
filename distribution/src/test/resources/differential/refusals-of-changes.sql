-- what becomes other statements is refused as one server refuses it
CREATE TABLE ta (u INT NOT NULL, k INT NOT NULL, n INT, v INT, PRIMARY KEY (k, u));
CREATE TABLE tb (u INT NOT NULL, k INT NOT NULL, n INT, PRIMARY KEY (k));
INSERT INTO ta (u, k, n, v) VALUES (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, NULL);
INSERT INTO tb (u, k, n) VALUES (1, 1, 1), (2, 2, 5), (4, 4, NULL);
DELETE x FROM ta x WHERE x.n < (SELECT MAX(y.n) FROM ta y);
DELETE FROM x USING ta x WHERE EXISTS (SELECT 1 FROM ta y WHERE y.n > x.n);
DELETE x FROM tb x JOIN ta ON x.n = ta.n WHERE x.n < (SELECT MAX(y.n) FROM tb y);
UPDATE ta SET v = (SELECT MAX(nothing) FROM tb);
SELECT u, k, n, v FROM ta ORDER BY k;
INSERT INTO tb SET u = 7, k = (SELECT MAX(k) + 10 FROM ta), n = (SELECT SUM(n) FROM ta);
REPLACE INTO tb SET u = 7, k = 13, n = (SELECT AVG(n) FROM ta) / 3;
INSERT INTO tb SET tb.u = 7, k = 13, n = (SELECT COUNT(*) FROM ta) ON DUPLICATE KEY UPDATE n = n + VALUES(n);
SELECT u, k, n FROM tb ORDER BY k;
DROP TABLE IF EXISTS nothing, nowhere, never;
