-- a NULL has no type where one part of a table is asked, and becomes a string in a UNION of several
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1), (2, '2', 2), (3, '3', 3), (4, '4', 4), (5, '5', 5), (6, '6', 6), (7, '7', 7);
SELECT u, NULL FROM ta WHERE u IN (1, 2, 3) ORDER BY u;
SELECT NULL AS x, COUNT(*) FROM ta WHERE u IN (1, 2, 3) AND n IN (1, 2, 3) AND k IN ('1', '2', '3');
SELECT NULL AS x, n FROM ta WHERE n IN (1, 2, 3, 4, 5) ORDER BY n DESC LIMIT 3;
SELECT NULL, n + NULL, CONCAT(NULL, k) FROM ta WHERE k IN ('1', '2', '3', '4', '5') ORDER BY k;
