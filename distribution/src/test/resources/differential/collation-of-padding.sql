-- blanks of utf8mb4_unicode_ci were padded with weights of utf8mb4_general_ci
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, s) VALUES (0, 3, 31, 'a '), (1, 1, 32, 'A'), (1, 2, 33, 'a	');
SELECT * FROM ta AS a ORDER BY a.s, a.u, a.k, a.n;
SELECT COUNT(DISTINCT s), COUNT(*) FROM ta;
