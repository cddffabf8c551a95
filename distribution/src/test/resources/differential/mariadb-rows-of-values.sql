-- Tables and views made of numbers show them as wide as on one MariaDB, which tells the width in its definitions.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, v VARCHAR(20), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, v) VALUES (1, 1, 1, 'a'), (2, 3, 2, NULL), (3, 7, 1, 'c');
CREATE VIEW vs (p, q) AS VALUES (1, 'a'), (2, NULL) UNION VALUES (2, NULL);
SELECT p, t.v FROM vs JOIN ta t ON t.u = p ORDER BY p;
DROP VIEW vs;
CREATE TABLE tb AS WITH x AS (SELECT 9 AS u, 8 AS k, 7 AS n, 'w' AS v) SELECT * FROM x;
SELECT * FROM tb ORDER BY 1, 2;
DROP TABLE tb;
