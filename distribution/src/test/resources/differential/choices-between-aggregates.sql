-- MySQL shows the value that IF and CASE choose with its own digits, and not with those of the column
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, d DECIMAL(10,2), PRIMARY KEY (u, k, n));
INSERT INTO ta VALUES (1, 1, 1, 1.10), (1, 2, 2, NULL), (2, 1, 3, 2.25), (3, 4, 4, 7.77), (3, 5, 5, 3.33), (4, 6, 7, 9.99);
SELECT IF(SUM(n) > 1, SUM(d), AVG(d)), IF(SUM(n) < 1, SUM(d), AVG(d)) FROM ta;
SELECT IF(SUM(n) > 1, SUM(n), AVG(d)), IF(COUNT(*) = 6, AVG(n), AVG(d)) FROM ta;
SELECT CASE WHEN COUNT(*) > 9 THEN SUM(d) WHEN COUNT(*) > 1 THEN SUM(n) ELSE AVG(d) END FROM ta;
SELECT u, IF(SUM(n) > 3, SUM(d), IF(MAX(d) > 2, AVG(n), 1.23456)) v FROM ta GROUP BY u ORDER BY u;
SELECT IF(SUM(n) > 1, SUM(d), AVG(d)) + 1, COALESCE(IF(SUM(n) > 1, SUM(d), AVG(d)), 0) FROM ta;
