-- a UNION cuts texts of FLOAT(M,D), and shows all values of a DECIMAL expression with the same digits; MariaDB sorts expressions of binary collations without padding
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, f FLOAT(7,3), d DECIMAL(10,2), s VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_bin, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 1234.567, 1.5, 'a'), (2, '2', 2, -2.25, 0, 'a '), (3, '3', 3, 1234.567, NULL, 'a  '), (4, '4', 4, NULL, 99999999.99, 'a'), (5, '5', 5, 1234.567, 1, 'b');
SELECT n, JSON_UNQUOTE(f), CONCAT(f), LPAD(f, 9, '*') FROM ta ORDER BY n;
SELECT n, IF(n > 2, n, d), COALESCE(d, n), CASE n WHEN 2 THEN n ELSE d END FROM ta ORDER BY n;
SELECT n, s FROM ta ORDER BY COALESCE(s, 'x') DESC, n;
SELECT n, s FROM ta ORDER BY CONCAT(s), n;
SELECT n FROM ta ORDER BY s DESC, n;
SELECT COUNT(*) FROM ta GROUP BY COALESCE(s, 'x') ORDER BY 1;
