-- columns of a derived table have no schema but the name of a table
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n) VALUES (1, 1, 1);
SELECT d.m FROM (SELECT MAX(ta.n) AS m FROM ta WHERE ta.k = 1 AND ta.u = 1) d;
