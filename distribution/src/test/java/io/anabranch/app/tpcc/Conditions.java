package io.anabranch.app.tpcc;

import io.anabranch.app.tpcc.Sql.Row;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The consistency conditions (clause 3.3.2) but the eleventh, which holds of fresh data only. Each
 * compares what two queries say of the same keys.
 */
public final class Conditions {

  private final Sql sql;
  private final List<String> broken = new ArrayList<>();

  private Conditions(Connection connection) {
    sql = new Sql(connection);
  }

  /** What does not hold; empty when all is well. No transaction may be open. */
  public static List<String> broken(Connection connection) throws SQLException {
    var conditions = new Conditions(connection);
    conditions.ofWarehouses();
    conditions.ofOrders();
    conditions.ofCustomers();
    return conditions.broken;
  }

  private void ofWarehouses() throws SQLException {
    Map<String, BigDecimal> warehouses = by(1, "SELECT w_id, w_ytd FROM warehouse");
    equal("1", warehouses, by(1, "SELECT d_w_id, SUM(d_ytd) FROM district GROUP BY d_w_id"));
    equal("8", warehouses, by(1, "SELECT h_w_id, SUM(h_amount) FROM history GROUP BY h_w_id"));
    equal(
        "9",
        by(2, "SELECT d_w_id, d_id, d_ytd FROM district"),
        by(2, "SELECT h_w_id, h_d_id, SUM(h_amount) FROM history GROUP BY h_w_id, h_d_id"));
  }

  private void ofOrders() throws SQLException {
    Map<String, BigDecimal> last = by(2, "SELECT d_w_id, d_id, d_next_o_id - 1 FROM district");
    equal("2", last, by(2, "SELECT o_w_id, o_d_id, MAX(o_id) FROM orders GROUP BY o_w_id, o_d_id"));
    Map<String, BigDecimal> open =
        by(2, "SELECT no_w_id, no_d_id, MAX(no_o_id) FROM new_orders GROUP BY no_w_id, no_d_id");
    last.keySet().retainAll(open.keySet());
    equal("2 (new orders)", last, open);
    equal(
        "3",
        by(
            2,
            "SELECT no_w_id, no_d_id, MAX(no_o_id) - MIN(no_o_id) + 1 FROM new_orders GROUP BY"
                + " no_w_id, no_d_id"),
        by(2, "SELECT no_w_id, no_d_id, COUNT(*) FROM new_orders GROUP BY no_w_id, no_d_id"));
    equal(
        "4",
        by(2, "SELECT o_w_id, o_d_id, SUM(o_ol_cnt) FROM orders GROUP BY o_w_id, o_d_id"),
        by(2, "SELECT ol_w_id, ol_d_id, COUNT(*) FROM order_line GROUP BY ol_w_id, ol_d_id"));
    equal(
        "5",
        by(3, "SELECT o_w_id, o_d_id, o_id, 1 FROM orders WHERE o_carrier_id IS NULL"),
        by(3, "SELECT no_w_id, no_d_id, no_o_id, 1 FROM new_orders"));
    equal(
        "6",
        by(3, "SELECT o_w_id, o_d_id, o_id, o_ol_cnt FROM orders"),
        by(
            3,
            "SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) FROM order_line GROUP BY ol_w_id, ol_d_id,"
                + " ol_o_id"));
    equal(
        "7",
        by(3, "SELECT o_w_id, o_d_id, o_id, o_ol_cnt FROM orders WHERE o_carrier_id IS NULL"),
        by(
            3,
            "SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) FROM order_line WHERE ol_delivery_d IS NULL"
                + " GROUP BY ol_w_id, ol_d_id, ol_o_id"));
  }

  private void ofCustomers() throws SQLException {
    Map<String, BigDecimal> paid =
        by(
            3,
            "SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) FROM history GROUP BY h_c_w_id,"
                + " h_c_d_id, h_c_id");
    Map<String, BigDecimal> delivered =
        by(
            3,
            "SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) FROM orders JOIN order_line ON ol_w_id ="
                + " o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id WHERE ol_delivery_d IS NOT NULL"
                + " GROUP BY o_w_id, o_d_id, o_c_id");
    Map<String, BigDecimal> owed = new TreeMap<>(delivered);
    paid.forEach((customer, sum) -> owed.merge(customer, sum.negate(), BigDecimal::add));
    equal("10", by(3, "SELECT c_w_id, c_d_id, c_id, c_balance FROM customer"), owed);
    equal(
        "12",
        by(3, "SELECT c_w_id, c_d_id, c_id, c_balance + c_ytd_payment FROM customer"),
        delivered);
  }

  /** Values by the first columns. */
  private Map<String, BigDecimal> by(int keys, String query) throws SQLException {
    var values = new TreeMap<String, BigDecimal>();
    for (Row row : sql.rows(query)) {
      var key = new StringBuilder();
      for (int i = 1; i <= keys; i++) {
        key.append(i > 1 ? "/" : "").append(row.number(i));
      }
      Object value = row.cells().get(keys);
      values.put(key.toString(), new BigDecimal(String.valueOf(value)));
    }
    return values;
  }

  /** What is missing on one side is 0 there. */
  private void equal(
      String condition, Map<String, BigDecimal> left, Map<String, BigDecimal> right) {
    Set<String> keys = new HashSet<>(left.keySet());
    keys.addAll(right.keySet());
    for (String key : keys) {
      BigDecimal one = left.getOrDefault(key, BigDecimal.ZERO);
      BigDecimal other = right.getOrDefault(key, BigDecimal.ZERO);
      if (one.compareTo(other) != 0) {
        broken.add("condition " + condition + " of " + key + ": " + one + " and " + other);
      }
    }
  }
}
