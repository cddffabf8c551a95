-- a UNION takes the sign off a DECIMAL: nodes that have one table each and nodes that have several agree
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, d DECIMAL(20,3) UNSIGNED, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
CREATE TABLE tc (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, d DECIMAL(20,3) UNSIGNED, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 1.5), (2, '2', 2, 0), (3, '3', 3, NULL);
INSERT INTO tc VALUES (2, '1', 1, 1.5), (3, '2', 2, 0), (6, '3', 3, 12345678901234567.891);
SELECT a.n, b.d FROM ta a LEFT JOIN tc b ON a.n = b.n WHERE b.u IN (2, 3, 6) AND b.d <= 2 ORDER BY a.n, b.d;
CREATE TABLE tb (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, z DOUBLE(9,3) ZEROFILL, f FLOAT UNSIGNED, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO tb VALUES (1, '1', 1, 1.5, 0.5), (2, '2', 2, 0, 2), (3, '3', 3, NULL, NULL), (4, '4', 4, 2.5, 9);
SELECT a.n, b.z, b.f FROM ta a LEFT JOIN tb b ON b.n = a.n + 0 AND b.k IN ('1', '2', '3') AND b.u IN (1, 2, 3) ORDER BY a.n;
SELECT u, d FROM tc WHERE u IN (2, 3, 6) ORDER BY u, d;
