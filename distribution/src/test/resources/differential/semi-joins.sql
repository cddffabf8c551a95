-- keys are asked for first where IN or EXISTS demand them, and only there
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, v INT, PRIMARY KEY (u, k, n));
CREATE TABLE tb (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, w INT, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, v) VALUES (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, NULL), (4, 2, 4, 4);
INSERT INTO tb (u, k, n, w) VALUES (2, 1, 1, 1), (3, 2, 2, NULL), (4, 2, 4, 2);
SELECT n FROM ta WHERE v IN (SELECT n FROM tb WHERE w = 1) ORDER BY n;
SELECT n FROM ta WHERE n = 2 AND v IN (SELECT n FROM tb) ORDER BY n;
SELECT n FROM ta WHERE EXISTS (SELECT 1 FROM tb WHERE tb.n = ta.v AND w > 0) ORDER BY n;
SELECT n FROM ta WHERE EXISTS (SELECT MAX(w) FROM tb WHERE tb.n = ta.v AND w > 0) ORDER BY n;
SELECT a.n FROM ta a WHERE EXISTS (SELECT 1 FROM ta p LEFT JOIN tb b ON b.u = p.u AND b.k = a.k WHERE p.n = 1) ORDER BY a.n;
SELECT a.n, b.n FROM ta a LEFT JOIN tb b ON b.k = a.k WHERE a.n IN (SELECT w FROM tb WHERE u = 4) ORDER BY 1, 2;
