-- to functions of texts a fixed number in a variable has thirty decimals on MySQL, and the literal its own
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, s VARCHAR(40), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, '1.50'), (2, '2', 2, 'x1.50'), (3, '3', 3, '1.500000000000000000000000000000'), (4, '4', 4, '2');
SET @d = 1.50, @two = 2.0;
SELECT n FROM ta WHERE s LIKE @d ORDER BY n;
SELECT COUNT(*) FROM ta WHERE s LIKE @d;
SELECT n FROM ta WHERE INSTR(s, @d) ORDER BY n;
SELECT n FROM ta WHERE s = @d ORDER BY n;
SELECT n FROM ta WHERE u = @two;
SELECT n FROM ta WHERE u IN (@two, @d) ORDER BY n;
SELECT MAX(@d), MIN(@two), COUNT(@d) FROM ta;
SELECT CONCAT(k, @d), MAX(n) FROM ta GROUP BY CONCAT(k, @d) ORDER BY CONCAT(k, @d);
INSERT INTO ta SELECT u + 20, k, n + 20, CAST(@d AS CHAR) FROM ta WHERE s LIKE @d OR s = @d;
INSERT INTO ta VALUES (31, '31', 31, @d), (32, '32', 32, CONCAT('a', @d));
SELECT n, k, s FROM ta ORDER BY n;
UPDATE ta SET s = 'y' WHERE s LIKE @d;
DELETE FROM ta WHERE u = @two;
SELECT n, s FROM ta ORDER BY n;
