-- values that the database makes the column's own were refused
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n) VALUES (' 1', '2 ', 1), (2.5, '20.5', 2), (-2.5, 7.4, 3), ('4', '7.0', 4), (5e0, '+3', 5), (TRUE, '007', 6);
SELECT * FROM ta ORDER BY n;
SELECT n FROM ta WHERE u = 1 AND k = 2;
SELECT n FROM ta WHERE u = 3 AND k = 21;
SELECT n FROM ta WHERE u = -3 AND k = 7;
SELECT n FROM ta WHERE u = 4 AND k = 7;
SELECT n FROM ta WHERE u = 5 AND k = 3;
SELECT n FROM ta WHERE u = 1 AND k = 7;
INSERT INTO ta (u, k, n) SELECT u + 0.5, k / 2, n + 10 FROM ta;
SELECT * FROM ta ORDER BY n;
SELECT n FROM ta WHERE u = 2 AND k = 1 AND n = 11;
INSERT INTO ta (u, k, n) VALUES (99999999999, 1, 1);
INSERT INTO ta (u, k, n) VALUES ('1e1', '15e-1', 21), ('.5', ' -2.5e0 ', 22), (11, '1.25E+2', 23);
SELECT n FROM ta WHERE u = 10 AND k = 2;
SELECT n FROM ta WHERE u = 1 AND k = -3;
SELECT n FROM ta WHERE u = 11 AND k = 125;
