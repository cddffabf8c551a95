ALTER TABLE river ADD COLUMN mouth VARCHAR(40) CHARACTER SET latin1 NULL AFTER name, ADD INDEX river_length (length);
ALTER TABLE branch RENAME TO arm;
RENAME TABLE arm TO branch;
/*!50003 UPDATE river SET mouth = 'North Sea' WHERE name = 'Elbe' */;
