-- expressions over aggregates of ZEROFILL columns lost the zeros; their case: groups are merged as plain integers
CREATE TABLE ta (u SMALLINT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, i_zero INT(6) ZEROFILL, t_second DATETIME, PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta (u, k, n, i_zero, t_second) VALUES (3, 2, 39, 7, '1969-12-31 23:59:59'), (4, 1, 2, 0, '1969-12-31 23:59:59'), (5, 3, 1, 12, NULL);
SELECT CONCAT(MIN(a.i_zero), '-', MAX(a.i_zero)) FROM ta AS a GROUP BY a.t_second ORDER BY a.t_second;
SELECT COUNT(*) + 1, CONCAT(MAX(i_zero), '') FROM ta;
