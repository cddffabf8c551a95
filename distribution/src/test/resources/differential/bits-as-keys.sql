-- 0x05 and b'101' are numbers where a column is one: rows are placed and found by these
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, g INT, PRIMARY KEY (u, k, n));
INSERT INTO ta VALUES (0x01, b'101', 1, 0x0a), (2, 0x06, 0b10, 2), (0b11, 7, 3, b'1');
INSERT INTO ta (u, k, n) VALUES (0x0d, 0x3132, 4);
SELECT * FROM ta ORDER BY n;
SELECT n FROM ta WHERE u = 1 AND k = 5;
SELECT n FROM ta WHERE u = 0x02 AND k = 0b110;
SELECT n FROM ta WHERE u IN (0x01, b'11') ORDER BY n;
SELECT n FROM ta WHERE u BETWEEN 0x02 AND 0x0D ORDER BY n;
UPDATE ta SET g = 9 WHERE u = 0x0d AND k = 12594;
DELETE FROM ta WHERE u = b'11';
SELECT * FROM ta ORDER BY n;
