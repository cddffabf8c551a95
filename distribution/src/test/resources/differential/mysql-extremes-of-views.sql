-- MySQL's temporary tables tell MIN and MAX of a view's columns as what they have room for (MEDIUMINT as BIGINT), a UNION of their parts as it is
CREATE TABLE ta (u SMALLINT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, i_tiny TINYINT, i_small SMALLINT UNSIGNED, i_medium MEDIUMINT, i_int INT, i_big BIGINT, y YEAR, e ENUM('b', 'a'), d DECIMAL(7, 2), f FLOAT, dt DATE, t TIME(3), c CHAR(5), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta (u, k, n, i_tiny, i_small, i_medium, i_int, i_big, y, e, d, f, dt, t, c) VALUES (0, 3, 33, 1, 2, -8388608, 0, 5, 2000, 'a', 1.25, 1.5, '2020-01-01', '12:00:00.123', 'x'), (1, 3, 34, NULL, 3, 7, 0, 6, 2001, 'b', 2.5, 2.5, NULL, NULL, 'y'), (2, 4, 35, 5, NULL, 9, 1, NULL, NULL, NULL, NULL, NULL, '2021-01-01', '00:00:00', NULL);
CREATE OR REPLACE VIEW va AS SELECT * FROM ta;
SELECT MIN(va.i_medium) FROM va GROUP BY va.i_int ORDER BY 1;
SELECT va.i_int, SUM(va.u = 4), MIN(va.i_medium) FROM va GROUP BY va.i_int ORDER BY COUNT(*) DESC, va.i_int LIMIT 9;
SELECT va.i_int, MIN(va.i_tiny), MAX(va.i_small), MIN(va.i_int), MAX(va.i_big), MAX(va.d) FROM va GROUP BY va.i_int ORDER BY va.i_int;
SELECT va.i_int, MAX(va.dt), MIN(va.t), MAX(va.c) FROM va GROUP BY va.i_int ORDER BY va.i_int;
SELECT MIN(va.i_medium), MAX(va.y) FROM va;
SELECT DISTINCT ta.dt, ta.u, MIN(NULLIF(ta.u, 0)), MAX(ta.i_tiny + 1) FROM ta GROUP BY ta.dt, ta.u ORDER BY ta.dt, ta.u;
