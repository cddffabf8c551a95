-- what is put behind a text that does not end was read as SQL
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n));
SELECT 'a;
SELECT n AS `a FROM ta;
SELECT n FROM ta WHERE n = x'41;
SHOW TABLES LIKE ' UNION SELECT 1 FROM ta -- ;
SHOW TABLE STATUS LIKE ' UNION SELECT 1 FROM ta -- ;
INSERT INTO ta (u, k, n, U) VALUES (1, 2, 3, 4);
INSERT INTO ta SET u = 1, k = 2, n = 3, k = 4;
INSERT INTO ta (u, k, n) VALUES (), ();
INSERT INTO ta (u, k, n) VALUES (1, 2, 3), ();
SELECT * FROM ta;
