package io.anabranch.app.tpcc;

import java.util.List;

/** The nine tables (clause 1.3), and the rules that put each warehouse into one data source. */
public final class Schema {

  static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE warehouse (w_id INT NOT NULL PRIMARY KEY, w_name VARCHAR(10),
            w_street_1 VARCHAR(20), w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9),
            w_tax DECIMAL(4,4), w_ytd DECIMAL(12,2)) ENGINE=InnoDB""",
          """
          CREATE TABLE district (d_id TINYINT NOT NULL, d_w_id INT NOT NULL, d_name VARCHAR(10),
            d_street_1 VARCHAR(20), d_city VARCHAR(20), d_tax DECIMAL(4,4), d_ytd DECIMAL(12,2),
            d_next_o_id INT, PRIMARY KEY (d_w_id, d_id)) ENGINE=InnoDB""",
          """
          CREATE TABLE customer (c_id INT NOT NULL, c_d_id TINYINT NOT NULL, c_w_id INT NOT NULL,
            c_first VARCHAR(16), c_last VARCHAR(16), c_since DATETIME, c_credit CHAR(2),
            c_credit_lim DECIMAL(12,2), c_discount DECIMAL(4,4), c_balance DECIMAL(12,2),
            c_ytd_payment DECIMAL(12,2), c_payment_cnt SMALLINT, c_delivery_cnt SMALLINT,
            c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id),
            KEY by_name (c_w_id, c_d_id, c_last, c_first)) ENGINE=InnoDB""",
          """
          CREATE TABLE history (h_c_id INT, h_c_d_id TINYINT, h_c_w_id INT, h_d_id TINYINT,
            h_w_id INT NOT NULL, h_date DATETIME, h_amount DECIMAL(6,2), h_data VARCHAR(24))
            ENGINE=InnoDB""",
          """
          CREATE TABLE new_orders (no_o_id INT NOT NULL, no_d_id TINYINT NOT NULL,
            no_w_id INT NOT NULL, PRIMARY KEY (no_w_id, no_d_id, no_o_id)) ENGINE=InnoDB""",
          """
          CREATE TABLE orders (o_id INT NOT NULL, o_d_id TINYINT NOT NULL, o_w_id INT NOT NULL,
            o_c_id INT, o_entry_d DATETIME, o_carrier_id TINYINT, o_ol_cnt TINYINT,
            o_all_local TINYINT, PRIMARY KEY (o_w_id, o_d_id, o_id),
            KEY by_customer (o_w_id, o_d_id, o_c_id, o_id)) ENGINE=InnoDB""",
          """
          CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_d_id TINYINT NOT NULL,
            ol_w_id INT NOT NULL, ol_number TINYINT NOT NULL, ol_i_id INT, ol_supply_w_id INT,
            ol_delivery_d DATETIME, ol_quantity TINYINT, ol_amount DECIMAL(6,2),
            ol_dist_info CHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))
            ENGINE=InnoDB""",
          """
          CREATE TABLE item (i_id INT NOT NULL PRIMARY KEY, i_im_id INT, i_name VARCHAR(24),
            i_price DECIMAL(5,2), i_data VARCHAR(50)) ENGINE=InnoDB""",
          """
          CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id INT NOT NULL, s_quantity SMALLINT,
            s_dist CHAR(24), s_ytd DECIMAL(8,0), s_order_cnt SMALLINT, s_remote_cnt SMALLINT,
            s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id)) ENGINE=InnoDB""");

  private static final List<String> BY_WAREHOUSE =
      List.of(
          "warehouse w_id",
          "district d_w_id",
          "customer c_w_id",
          "history h_w_id",
          "new_orders no_w_id",
          "orders o_w_id",
          "order_line ol_w_id",
          "stock s_w_id");

  private Schema() {}

  /** Rules over the data sources {@code ds_0} and {@code ds_1}. */
  public static String rules() {
    var rules = new StringBuilder("rules:\n- !SHARDING\n  tables:\n");
    var bound = new StringBuilder();
    for (String each : BY_WAREHOUSE) {
      String table = each.substring(0, each.indexOf(' '));
      String column = each.substring(each.indexOf(' ') + 1);
      bound.append(bound.isEmpty() ? "" : ", ").append(table);
      rules.append(
          """
              %s:
                actualDataNodes: ds_${0..1}.%s
                databaseStrategy: { standard: { shardingColumn: %s, shardingAlgorithmName: by_warehouse } }
          """
              .formatted(table, table, column));
    }
    return rules
        + "  bindingTables:\n    - "
        + bound
        + """

          shardingAlgorithms:
            by_warehouse: { type: MOD, props: { sharding-count: 2 } }
        - !BROADCAST
          tables: [item]
        """;
  }
}
