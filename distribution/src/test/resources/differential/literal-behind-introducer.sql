-- literals behind a charset introducer were not counted: u was routed by 'x'
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, s VARCHAR(9), PRIMARY KEY (u, k, n));
INSERT INTO ta (u, k, n, s) VALUES (1, 1, 1, '2'), (2, 1, 1, '2'), (5, 2, 1, '2');
SELECT * FROM ta WHERE s = _latin1'2' AND u = 5 AND k = 2;
SELECT * FROM ta WHERE s <> DATE '2024-01-01' AND u = 5 AND k = 2;
SELECT * FROM ta WHERE u = 0x05 AND k = b'10';
SELECT * FROM ta WHERE u = '5abc' AND k = 2e0 ORDER BY u;
WITH ta AS (SELECT * FROM ta WHERE k = 2) SELECT * FROM ta;
