-- a server takes these for positions of columns (MySQL no parameter); over nodes they were constants
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, s VARCHAR(20), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, s) VALUES (0, 3, 5, 'a'), (1, 1, 4, 'b'), (1, 2, 3, 'a'), (2, 5, 2, 'b'), (3, 6, 1, NULL);
SELECT u, n FROM ta ORDER BY (2);
SELECT u, n FROM ta ORDER BY ((2)) DESC LIMIT 2;
SELECT u, n FROM ta ORDER BY +2;
SELECT s, COUNT(*) FROM ta GROUP BY (1) ORDER BY 1;
PREPARE p FROM 'SELECT u, n FROM ta ORDER BY ? DESC, n LIMIT 3';
SET @two = 2;
EXECUTE p USING @two;
PREPARE p FROM 'SELECT s, COUNT(*) FROM ta GROUP BY ? ORDER BY 1';
SET @one = 1;
EXECUTE p USING @one;
DEALLOCATE PREPARE p;
