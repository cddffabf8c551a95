-- DISTINCTROW was taken for nothing: each node gave its own values
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, s VARCHAR(20), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, s) VALUES (0, 3, 1, 'a'), (1, 1, 1, 'b'), (1, 2, 2, 'a'), (2, 5, 2, 'b'), (3, 6, 1, NULL);
SELECT DISTINCTROW s FROM ta ORDER BY s;
SELECT DISTINCTROW s, n FROM ta ORDER BY s DESC, n LIMIT 3;
SELECT DISTINCTROW COUNT(*) FROM ta GROUP BY s ORDER BY 1;
SELECT COUNT(*) FROM (SELECT DISTINCTROW n FROM ta) x;
