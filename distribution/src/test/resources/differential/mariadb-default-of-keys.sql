-- MariaDB says when it prepares the statement that there is no default; MySQL only when it runs it
CREATE TABLE ta (u INT NOT NULL, k INT NOT NULL, n INT, v INT, PRIMARY KEY (k, u));
INSERT INTO ta (u, k, n, v) VALUES (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, NULL);
UPDATE ta SET u = DEFAULT;
UPDATE ta SET u = DEFAULT(u) WHERE k = 99;
