CREATE OR REPLACE VIEW short_river AS SELECT id, name FROM river WHERE length <= 100;
