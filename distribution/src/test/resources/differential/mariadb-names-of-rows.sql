-- The column of VALUES was called by the name of an actual table.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, d DECIMAL(10,2), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, d) VALUES (1, 1, 1, 1.10), (2, 3, 2, NULL), (3, 7, 3, 2.25);
VALUES ((SELECT d FROM ta WHERE u = 1 AND k = 1));
VALUES (1, (SELECT n FROM ta WHERE u = 1 AND k = 1), 'a', NULL);
VALUES ((SELECT d FROM ta WHERE u = 1 AND k = 1)), (2), (3.125);
VALUES (5), ((SELECT d FROM ta WHERE u = 1 AND k = 1));
VALUES ((SELECT MAX(d) FROM ta));
VALUES ((SELECT MAX(d) FROM ta)), (1);
VALUES ((SELECT n FROM ta WHERE u = 1 AND k = 1) + 1, 7) UNION SELECT 1, 2;
(VALUES ((SELECT n FROM ta WHERE u = 1 AND k = 1)));
SELECT 4 UNION VALUES ((SELECT n FROM ta WHERE u = 1 AND k = 1));
SELECT * FROM (VALUES ((SELECT n FROM ta WHERE u = 1 AND k = 1))) x;
WITH x AS (VALUES ((SELECT MAX(n) FROM ta))) SELECT * FROM x;
SELECT n FROM ta WHERE n IN (VALUES ((SELECT MAX(n) FROM ta))) ORDER BY n;
