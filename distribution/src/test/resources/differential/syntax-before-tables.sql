-- What a text is wrong in comes before tables that are not there, which were told first.
CREATE TABLE ta (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL, v VARCHAR(20), PRIMARY KEY (u, k, n));
SELECT * FROM nosuch;
SELECT * FROM nosuch JOIN (ta JOIN tb UNION SELECT * FROM tc JOIN ta);
SELECT FROM nosuch;
SELECT u FROM nosuch WHERE;
SELECT u FROM nosuch, ta GROUP;
SELECT u FROM ta ORDER BY u UNION SELECT u FROM nosuch;
INSERT INTO nosuch SELECT u FROM ta ORDER BY u UNION SELECT u FROM ta;
INSERT INTO nosuch VALUES (1,);
INSERT INTO nosuch (u VALUES (1);
REPLACE INTO nosuch SET u;
UPDATE nosuch SET WHERE u = 1;
UPDATE nosuch, ta SET ta.n = WHERE u = 1;
DELETE FROM nosuch WHERE;
DELETE nosuch FROM;
DELETE nosuch FROM nosuch JOIN ta ON;
