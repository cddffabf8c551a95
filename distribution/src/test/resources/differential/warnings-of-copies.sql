-- what is warned of while rows are copied was told to nobody, and refused by no strict mode
CREATE TABLE ta (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, s VARCHAR(40), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
CREATE TABLE tb (u INT NOT NULL, k VARCHAR(20) NOT NULL, n INT NOT NULL, s VARCHAR(40), PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4;
INSERT INTO ta VALUES (1, '1', 1, '5'), (2, '2', 2, '6'), (3, '3', 3, '5');
INSERT INTO tb VALUES (1, '1', 1, '5'), (2, '2', 2, 'six'), (3, '3', 3, '5');
SELECT x.n FROM ta x JOIN tb y ON x.n = y.u WHERE y.s = 5 ORDER BY x.n;
SELECT n FROM ta WHERE n > (SELECT COUNT(*) FROM tb WHERE s = 5) ORDER BY n;
UPDATE ta x JOIN tb y ON x.n = y.u SET x.s = '9' WHERE y.s = 5;
DELETE x FROM ta x LEFT JOIN tb y ON x.n = y.u AND y.s = 5 WHERE y.n IS NULL;
UPDATE ta SET s = (SELECT COUNT(*) FROM tb WHERE s = 5);
INSERT INTO ta (u, k, n) SELECT 77, '77', COUNT(*) FROM tb x JOIN ta y ON x.u = y.n WHERE x.s = 5;
SELECT n, s FROM ta ORDER BY n;
DELETE x FROM ta x LEFT JOIN tb y ON x.n = y.u AND y.s = '5' WHERE y.n IS NULL;
UPDATE ta x JOIN tb y ON x.n = y.u SET x.s = '9' WHERE y.s = '5';
SELECT n, s FROM ta ORDER BY n;
