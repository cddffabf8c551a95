-- a server warns of NULL for NOT NULL in a statement of several rows without strict mode, whichever of them share a node
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, s VARCHAR(9) NOT NULL, d DATE, g INT DEFAULT 7, CONSTRAINT few CHECK (g < 100), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
SET sql_mode = '';
INSERT INTO ta VALUES (1, '1', 1, NULL, NULL, 1), (2, '2', 2, 'b', '2024-01-01', 2);
INSERT INTO ta VALUES (3, '3', 3, 'c', NULL, 1), (4, '4', 4, NULL, '2024-02-31', 2), (5, '5', 5, 'a string too long', 'x', 3);
INSERT INTO ta (u, k, n, s) VALUES (6, '6', 6, CONCAT('f', NULL)), (7, '7', 7, 'g');
INSERT INTO ta (u, k, n, s, g) VALUES (8, '8', 8, 'x', DEFAULT), (9, '9', 9, 'y', n + 1), (10, '10', 10, NULL, 4), (11, '11', 11, 'z', 5);
REPLACE INTO ta VALUES (1, '1', 1, NULL, NULL, 2), (2, '2', 2, 'bb', '2024-01-02', 3);
INSERT INTO ta (u, k, n, s) VALUES (1, '1', 1, NULL), (2, '2', 2, 'z') ON DUPLICATE KEY UPDATE g = g + 1;
INSERT INTO ta (u, k, n) VALUES (51, '51', 51), (52, '52', 52), (53, '53', 53);
INSERT INTO ta SELECT u + 200, CONCAT(k, '8'), n, NULL, d, g FROM ta WHERE n = 4;
INSERT INTO ta VALUES (20, '20', 20, NULL, NULL, 1);
INSERT INTO ta (u, k, n, s, g) VALUES (21, '21', 21, 'a', 500), (22, '22', 22, 'b', 5);
SET sql_mode = DEFAULT;
INSERT IGNORE INTO ta (u, k, n, s, g) VALUES (31, '31', 31, 'a', 500), (32, '32', 32, 'b', 5);
INSERT IGNORE INTO ta (u, k, n, s, g) VALUES (33, '33', 33, 'c', 500), (34, '34', 34, NULL, 600), (35, '35', 35, 'd', 6);
INSERT INTO ta VALUES (41, '41', 41, NULL, NULL, 1), (42, '42', 42, 'b', '2024-01-01', 2);
SELECT * FROM ta ORDER BY u, n;
