-- MariaDB compares fractions with integer keys that are not unique by their whole part: copies had such keys where tables have none
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, v INT, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, v) VALUES (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, NULL), (4, 2, 4, 4);
SELECT k FROM (SELECT * FROM ta WHERE v IS NOT NULL) y WHERE k IN (1.50, 1.50);
SELECT n FROM (SELECT * FROM ta WHERE v IS NOT NULL) y WHERE n IN (1.50, 2.00) ORDER BY n;
SELECT a.n FROM ta a WHERE a.v > ALL (SELECT b.v FROM ta b WHERE b.v < 2) AND a.k = 1.5;
SELECT a.u, a.k, a.n, COUNT(b.n) FROM ta a LEFT JOIN ta b ON b.n < a.n GROUP BY a.u, a.k, a.n ORDER BY a.n;
