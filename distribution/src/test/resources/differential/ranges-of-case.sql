-- copies had an index of k alone: MariaDB takes BETWEEN 'A' AND 'a' for one value then, whatever the column's collation
CREATE TABLE tc (u INT NOT NULL, k VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL, n INT NOT NULL, d DECIMAL(10,2), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO tc (u, k, n, d) VALUES (1, 'a', 5, NULL), (2, 'B', 6, 1);
SELECT a.k, a.u, GROUP_CONCAT(a.d ORDER BY a.u, a.k, a.n SEPARATOR '|') FROM tc AS a WHERE (a.k < '0' OR a.u BETWEEN 0 AND 2) AND a.k BETWEEN 'A' AND 'a' GROUP BY a.k, a.u ORDER BY a.u;
