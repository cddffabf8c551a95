-- Numbers of a JSON that are stored in columns of numbers by way of the proxy.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, j JSON, PRIMARY KEY (u, k, n));
CREATE TABLE tb (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, i BIGINT, d DECIMAL(10,2), f DOUBLE, t TEXT, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, j) VALUES (1, 1, 1, '{"a": 7, "b": 12.345}'), (2, 3, 2, '{"a": -9, "b": 0.5}'), (3, 7, 3, '{"a": 9007199254740993, "b": 1e3}'), (4, 2, 4, NULL);
INSERT INTO tb (u, k, n, i, d, f, t) SELECT u + 1, k + 1, n, j->'$.a', j->'$.b', j->'$.b', j->'$.b' FROM ta;
SELECT n, i, d, f, t FROM tb ORDER BY n;
UPDATE tb x JOIN ta y ON x.n = y.n SET x.i = y.j->'$.a', x.d = y.j->'$.a';
SELECT n, i, d FROM tb ORDER BY n;
