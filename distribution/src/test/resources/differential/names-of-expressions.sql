-- Expressions were called by the names of actual tables, or by the literals of a statement that ran before.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, d DECIMAL(10,2), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, d) VALUES (1, 1, 1, 1.10), (2, 3, 2, NULL), (3, 7, 3, 2.25);
SELECT EXISTS(SELECT 1 FROM ta);
SELECT (SELECT COUNT(*) FROM ta)+1;
SELECT (SELECT COUNT(*) FROM ta)+2;
SELECT (SELECT COUNT(*) FROM ta WHERE u = 1 AND k = 1)+1;
SELECT (SELECT COUNT(*) FROM ta WHERE u = 1 AND k = 1)+2;
SELECT (SELECT MAX(n) FROM ta) > 1 IS NOT NULL, EXISTS(SELECT 1 FROM ta WHERE u = 1 AND k = 1) AS named, ta.n + 1, (n) FROM ta WHERE u = 1 AND k = 1;
SELECT CASE WHEN EXISTS(SELECT 1 FROM ta WHERE u = 1 AND k = 1) THEN 1 ELSE 2 END, CASE WHEN (SELECT MAX(n) FROM ta WHERE u = 1 AND k = 1) > 1 THEN 1 END AS c FROM ta WHERE u = 1 AND k = 1;
SELECT * FROM (SELECT EXISTS(SELECT 1 FROM ta), 1) x;
SELECT SUM(d)+1 FROM ta;
SELECT SUM(d)+1.000 FROM ta;
SELECT d+1.0, 'a' FROM ta ORDER BY n;
SELECT d+1.000, 'abc' FROM ta ORDER BY n;
SELECT AVG(d*1.0), MAX(d*2) FROM ta;
SELECT AVG(d*1.000), MAX(d*3) FROM ta;
