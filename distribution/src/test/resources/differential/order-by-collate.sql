-- the parser drops COLLATE: items with it were taken for the columns themselves
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, s) VALUES (0, 3, 31, 'a'), (1, 1, 32, 'B'), (1, 2, 33, 'ä'), (2, 5, 34, 'A'), (3, 6, 35, 'b');
SELECT s FROM ta ORDER BY s COLLATE utf8mb4_bin, n;
SELECT s AS x, n FROM ta ORDER BY s COLLATE utf8mb4_bin DESC, n LIMIT 2;
SELECT s COLLATE utf8mb4_bin AS x, COUNT(*) FROM ta GROUP BY s COLLATE utf8mb4_bin ORDER BY s COLLATE utf8mb4_bin;
SELECT`s`FROM`ta`WHERE`u`=1 ORDER BY`n`;
