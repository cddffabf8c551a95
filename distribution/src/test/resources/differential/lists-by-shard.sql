-- Each node's statement has the values of a list that its rows may have.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta (u, k, n) VALUES (1, 1, 1), (2, 3, 2), (3, 7, 3), (4, 4, 4), (5, 6, 5), (-1, -1, 6);
SELECT n FROM ta WHERE k IN (1, 3, 4, 99) ORDER BY n;
SELECT n FROM ta WHERE k IN (1, NULL, '3', 4.0) ORDER BY n;
SELECT n, k IN (1, 3, 4) AS found FROM ta WHERE k NOT IN (1, 3, 4) OR k IN (3, 4) ORDER BY n;
SELECT a.n, b.n FROM ta a JOIN ta b ON a.n = b.n + 1 WHERE a.k IN (1, 3, 4, 7) AND b.u IN (1, 2, 3) ORDER BY a.n;
UPDATE ta SET n = n + 100 WHERE k IN (1, 3, 4);
SELECT n FROM ta WHERE u IN (1, 2, 3, 4, 5) AND (k IN (1, 3) OR n > 100) ORDER BY n;
SELECT n FROM ta WHERE k BETWEEN 3 AND 4 ORDER BY n;
SELECT n FROM ta WHERE k > 3 AND k < 7 ORDER BY n;
SELECT n FROM ta WHERE k BETWEEN 4 AND 3 ORDER BY n;
SELECT n FROM ta WHERE k > 9223372036854775806 ORDER BY n;
DELETE FROM ta WHERE k IN (1, 3, 99);
SELECT COUNT(*) FROM ta;
