-- a name in ON DUPLICATE KEY UPDATE of an INSERT … SELECT may be of both tables: a server does not choose
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, g INT DEFAULT 7, h INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
CREATE TABLE tb (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, g INT, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 1, 1), (2, '2', 2, 2, 2), (3, '3', 3, 3, 3);
INSERT INTO tb VALUES (1, '1', 1, 10), (2, '2', 2, 20), (4, '4', 4, 40);
INSERT INTO ta (u, k, n, g) SELECT u, k, n, g FROM ta ON DUPLICATE KEY UPDATE g = g + 1;
INSERT INTO ta (u, k, n, g) SELECT u, k, n, g FROM ta ON DUPLICATE KEY UPDATE g = ta.g + 1;
INSERT INTO ta (u, k, n, g) SELECT u, k, n, g FROM ta ON DUPLICATE KEY UPDATE h = VALUES(g) + 5;
INSERT INTO ta (u, k, n, g) SELECT u + 0, k, n, g FROM tb ON DUPLICATE KEY UPDATE g = g + 1;
INSERT INTO ta (u, k, n, g) SELECT u + 0, k, n, g FROM tb ON DUPLICATE KEY UPDATE h = u;
INSERT INTO ta (u, k, n, g) SELECT u + 0, k, n, g FROM tb ON DUPLICATE KEY UPDATE g = ta.g + 1, h = h + VALUES(g);
INSERT INTO ta (u, k, n, g) SELECT u + 0, k, n, MAX(g) FROM tb GROUP BY u, k, n ON DUPLICATE KEY UPDATE g = g + 1;
SELECT * FROM ta ORDER BY u, n;
