CREATE VIEW long_river AS SELECT id, name FROM river WHERE length > 100;
DELIMITER $$
CREATE TRIGGER river_trimmed BEFORE INSERT ON river FOR EACH ROW BEGIN SET NEW.name = TRIM(NEW.name); END$$
CREATE PROCEDURE add_branch(IN of BIGINT, IN number INT)
BEGIN
  INSERT INTO branch (id, river_id) VALUES (number, of);
END$$
CREATE FUNCTION branches(of BIGINT) RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM branch WHERE river_id = of)$$
DELIMITER ;
CALL add_branch(1, 10);
INSERT INTO river (name, length) VALUES ('  Oder ', 840);
