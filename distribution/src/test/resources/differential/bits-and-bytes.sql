-- Bits that were computed were read as the bytes of a column, and bytes in variables as numbers.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, b BIT(9), d BIT(1), PRIMARY KEY (u, k, n));
CREATE TABLE tb (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, i BIGINT, PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, b, d) VALUES (1, 1, 1, 49, 1), (2, 3, 2, 257, 0), (3, 7, 3, 5, 1), (4, 2, 4, NULL, NULL), (5, 6, 5, 0, 0);
INSERT INTO tb (u, k, n, i) SELECT u + 1, k + 1, n, COALESCE(b, b) + 0 FROM ta;
INSERT INTO tb (u, k, n, i) SELECT u + 1, k + 1, n + 10, IF(n > 2, b, d) + 0 FROM ta ORDER BY u LIMIT 3;
INSERT INTO tb (u, k, n, i) SELECT MAX(u) + 1, MAX(k), 20, MAX(b) FROM ta;
INSERT INTO tb (u, k, n, i) SELECT u + 1, k + 1, n + 30, b FROM ta;
INSERT INTO tb (u, k, n, i) SELECT u + 1, k + 1, n + 40, (SELECT MIN(d) FROM ta) FROM ta;
SELECT n, i FROM tb ORDER BY n, u, k;
UPDATE tb x JOIN ta y ON x.n = y.n + 30 SET x.i = COALESCE(y.b, 7);
SELECT n, i FROM tb ORDER BY n, u, k;
SET @a = (SELECT MAX(b) FROM ta), @b = (SELECT d FROM ta WHERE n + 0 = 1);
SELECT @a + 0, @b + 0;
SET @c = x'41', @d = b'101';
SELECT n FROM ta WHERE n > @c ORDER BY n;
SELECT n FROM ta WHERE n = @d OR u < @d ORDER BY n;
SELECT n FROM ta WHERE u = @d ORDER BY n;
SELECT n % 2 AS x, COUNT(*) FROM ta GROUP BY x HAVING COUNT(*) > @c ORDER BY x;
