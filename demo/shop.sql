-- The shop's schema, through the proxy: it makes every actual table in both data sources.
CREATE TABLE IF NOT EXISTS t_order (
  order_id BIGINT NOT NULL PRIMARY KEY, user_id INT NOT NULL, status VARCHAR(20) NOT NULL,
  total DECIMAL(10,2) NOT NULL, country CHAR(2) NOT NULL, KEY by_user (user_id));
CREATE TABLE IF NOT EXISTS t_order_item (
  item_id BIGINT NOT NULL PRIMARY KEY, order_id BIGINT NOT NULL, user_id INT NOT NULL,
  sku VARCHAR(20) NOT NULL, quantity INT NOT NULL, KEY by_order (order_id));
CREATE TABLE IF NOT EXISTS t_country (code CHAR(2) NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL);
CREATE TABLE IF NOT EXISTS t_setting (name VARCHAR(40) NOT NULL PRIMARY KEY, value VARCHAR(200) NOT NULL);
REPLACE INTO t_country (code, name) VALUES ('at', 'Austria'), ('ch', 'Switzerland'), ('fr', 'France');
REPLACE INTO t_setting (name, value) VALUES ('currency', 'EUR');
REPLACE INTO t_order (order_id, user_id, status, total, country) VALUES
  (1, 1, 'paid', 10.50, 'at'), (2, 2, 'open', 99.90, 'ch'), (3, 3, 'paid', 5.00, 'fr'), (4, 4, 'sent', 42.00, 'at'),
  (5, 1, 'open', 7.25, 'ch'), (6, 2, 'paid', 12.00, 'fr'), (7, 3, 'sent', 64.30, 'at'), (8, 4, 'paid', 1.95, 'ch');
REPLACE INTO t_order_item (item_id, order_id, user_id, sku, quantity) VALUES
  (1, 1, 1, 'pen', 3), (2, 2, 2, 'lamp', 1), (3, 5, 1, 'cup', 2), (4, 7, 3, 'chair', 1), (5, 8, 4, 'pen', 1);
