CREATE TABLE river (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(80) NOT NULL, bytes VARBINARY(40), doc JSON, length DECIMAL(10,3), g INT AS (length * 2) VIRTUAL, told DATETIME(6) DEFAULT '2024-01-01', UNIQUE KEY river_name (name)) COMMENT 'Rivers';
CREATE TABLE branch (id INT PRIMARY KEY, river_id BIGINT, side ENUM('left','right'), place POINT, bits BIT(9), FOREIGN KEY (river_id) REFERENCES river (id));
INSERT INTO river (name, bytes, doc, length) VALUES ('Elbe', x'00ff27220a5c', '{"a": [1, "ü"]}', 1094.5), ('O''Hara\n\t\\ 🌊', NULL, NULL, -0.001), ('', '', '[]', 0);
INSERT INTO branch VALUES (1, 1, 'left', ST_GeomFromText('POINT(1 2)'), b'101'), (2, 1, 'right', NULL, NULL);
CREATE VIEW long_river AS SELECT id, name FROM river WHERE length > 100;
DELIMITER //
CREATE TRIGGER river_trimmed BEFORE INSERT ON river FOR EACH ROW BEGIN SET NEW.name = TRIM(NEW.name); END//
DROP FUNCTION IF EXISTS branches//
CREATE FUNCTION branches(whose BIGINT) RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM branch WHERE river_id = whose)//
DELIMITER ;
