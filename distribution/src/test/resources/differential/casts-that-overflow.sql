-- a CAST that overflows is warned of as a column's, and was taken for a date that a UNION had changed
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, m DECIMAL(12,2), d DATE, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, 99999.99, '2024-02-29'), (2, '2', 2, 1.25, '2024-02-28'), (3, '3', 3, 12.5, NULL), (4, '4', 4, NULL, NULL);
SELECT n, CAST(m AS DECIMAL(3,1)) AS x FROM ta ORDER BY n;
SELECT n, d, CAST(m AS DECIMAL(3,1)) AS x FROM ta ORDER BY x, n;
SELECT n FROM ta ORDER BY CAST(m AS DECIMAL(3,1)), n;
SELECT DISTINCT CAST(m AS DECIMAL(3,1)) AS x, d FROM ta ORDER BY x, d;
SELECT CAST(m AS DECIMAL(3,1)) AS x, MAX(d) FROM ta GROUP BY x ORDER BY x;
