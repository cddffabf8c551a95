-- layout: two sources, two tables each
-- MariaDB describes these with fewer digits than they have; through the UNION of a node's tables they
-- would come out as 99.9999.
CREATE TABLE ta (u INT NOT NULL, k INT NOT NULL, s VARCHAR(9), t TIME, d DATE, PRIMARY KEY (k, u));
CREATE TABLE tb (u INT NOT NULL, k INT NOT NULL, x DECIMAL(50,30), PRIMARY KEY (k));
INSERT INTO ta (u, k, s, t, d) VALUES (1, 1, 'z', '838:00:00', '9999-12-31'), (2, 2, 'a', '01:00:00', '2024-02-03'), (3, 3, '', NULL, NULL);
SELECT k, ABS(100) / u, NULLIF(100, k) / u, ROUND(100) / u, FLOOR(100) / u FROM ta ORDER BY k;
SELECT k, HOUR(t) / u, HOUR(t) * 1.5, ASCII(s) / u, YEARWEEK(d) / u, TO_DAYS(d) / u FROM ta ORDER BY k;
SELECT k, (1000 DIV u) / u, (k * 1000 DIV 3) / 2, ROUND(995 * k, -1) / u, PERIOD_ADD(202401, k) / u FROM ta ORDER BY k;
SELECT SUM(HOUR(t)), AVG(ASCII(s)), MAX(HOUR(t)) / 2, MAX(100) / COUNT(*) FROM ta;
SELECT u, SUM(HOUR(t) / 7), MAX(ASCII(s)) * 1.5 FROM ta GROUP BY u ORDER BY u;
INSERT INTO tb (u, k, x) SELECT u, k, ABS(100) / u FROM ta;
SELECT u, k, x FROM tb ORDER BY k;
CREATE TABLE tc (u INT NOT NULL, k INT NOT NULL, f DOUBLE, x DECIMAL(20,9), PRIMARY KEY (k, u));
INSERT INTO tc VALUES (1, 1, 2.0004, NULL), (3, 3, 2.0004, NULL), (7, 7, 1e20, NULL);
DELETE FROM tb;
INSERT INTO tb (u, k, x) SELECT u, k, ROUND(f, 3) / u FROM tc WHERE k < 7;
SELECT u, k, x FROM tb ORDER BY k;
UPDATE tc JOIN ta ON ta.k = tc.k SET tc.x = ROUND(tc.f, 3) / ta.u;
UPDATE tc JOIN ta ON ta.k = tc.k SET tc.f = ROUND(tc.f, 3) / ta.u;
SELECT u, k, f, x FROM tc ORDER BY k;
