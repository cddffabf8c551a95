-- quotients were rounded in each shard before they were added up; div_precision_increment was not heard of
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, d DECIMAL(10,2), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, d) VALUES (0, 1, 1, 10.01), (1, 2, 2, 0.07), (2, 3, 3, 99.95), (3, 4, 4, 7.77), (4, 5, 5, 0.05);
SELECT SUM(d/3), AVG(n/7), AVG(d/7) FROM ta;
SELECT u DIV 2 AS h, AVG(d/7) AS q FROM ta GROUP BY h HAVING AVG(d/7) > 0.4 ORDER BY h;
SELECT AVG(d), SUM(d)/3 FROM ta;
SET div_precision_increment = 8;
SELECT AVG(d), SUM(d)/3, AVG(d/7) FROM ta;
SET div_precision_increment = 0;
SELECT AVG(d), AVG(n) FROM ta;
SET div_precision_increment = 4;
SELECT AVG(d) FROM ta;
