package io.anabranch.app.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Makes the tables and fills them (clause 4.3.3). */
public final class Population {

  private static final int ROWS = 200;

  private final Statement statement;
  private final Scale scale;
  private final Dice dice;

  private Population(Statement statement, Scale scale, long seed) {
    this.statement = statement;
    this.scale = scale;
    this.dice = new Dice(seed);
  }

  public static void make(Connection connection, Scale scale, long seed) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : Schema.TABLES) {
        statement.execute(table);
      }
      new Population(statement, scale, seed).fill();
    }
  }

  private void fill() throws SQLException {
    var items = new ArrayList<String>();
    for (int i = 1; i <= scale.items(); i++) {
      items.add(
          row(i, dice.between(1, 10000), dice.text(14), dice.money(100, 10000), dice.text(26)));
    }
    insert("item", items);
    for (int w = 1; w <= scale.warehouses(); w++) {
      warehouse(w);
    }
  }

  private void warehouse(int w) throws SQLException {
    int total = Scale.DISTRICTS * scale.customers() * 10;
    insert(
        "warehouse",
        List.of(
            row(w, dice.text(6), dice.text(10), dice.text(10), "ZZ", "123411111", tax(), total)));
    var stock = new ArrayList<String>();
    for (int i = 1; i <= scale.items(); i++) {
      stock.add(row(i, w, dice.between(10, 100), dice.text(24), 0, 0, 0, dice.text(26)));
    }
    insert("stock", stock);
    for (int d = 1; d <= Scale.DISTRICTS; d++) {
      district(w, d);
    }
  }

  private void district(int w, int d) throws SQLException {
    int customers = scale.customers();
    insert(
        "district",
        List.of(
            row(
                d,
                w,
                dice.text(6),
                dice.text(10),
                dice.text(10),
                tax(),
                customers * 10,
                customers + 1)));
    var customer = new ArrayList<String>();
    var history = new ArrayList<String>();
    for (int c = 1; c <= customers; c++) {
      String credit = dice.isOneOf(1, 10) ? "BC" : "GC";
      customer.add(
          row(
              c,
              d,
              w,
              dice.text(8),
              dice.lastNameOf(c),
              NOW,
              credit,
              50000,
              tax(),
              -10,
              10,
              1,
              0,
              dice.text(300)));
      history.add(row(c, d, w, d, w, NOW, 10, dice.text(12)));
    }
    insert("customer", customer);
    insert("history", history);
    orders(w, d);
  }

  private void orders(int w, int d) throws SQLException {
    List<Integer> customers = dice.permutation(scale.customers());
    var orders = new ArrayList<String>();
    var lines = new ArrayList<String>();
    var open = new ArrayList<String>();
    for (int o = 1; o <= customers.size(); o++) {
      boolean isDelivered = o <= scale.delivered();
      int count = dice.between(5, 15);
      Object carrier = isDelivered ? dice.between(1, 10) : NULL;
      orders.add(row(o, d, w, customers.get(o - 1), NOW, carrier, count, 1));
      for (int number = 1; number <= count; number++) {
        Object amount = isDelivered ? 0 : dice.money(1, 999999);
        int item = dice.between(1, scale.items());
        lines.add(
            row(o, d, w, number, item, w, isDelivered ? NOW : NULL, 5, amount, dice.text(24)));
      }
      if (!isDelivered) {
        open.add(row(o, d, w));
      }
    }
    insert("orders", orders);
    insert("order_line", lines);
    insert("new_orders", open);
  }

  private Object tax() {
    return dice.money(0, 20);
  }

  /** SQL that is not a literal. */
  private enum Word {
    NOW,
    NULL
  }

  private static final Word NOW = Word.NOW;
  private static final Word NULL = Word.NULL;

  private static String row(Object... cells) {
    var row = new StringBuilder("(");
    for (Object cell : cells) {
      row.append(row.length() > 1 ? "," : "");
      switch (cell) {
        case Word word -> row.append(word == NOW ? "NOW()" : "NULL");
        case String text -> row.append('\'').append(text).append('\'');
        default -> row.append(cell);
      }
    }
    return row.append(')').toString();
  }

  private void insert(String table, List<String> rows) throws SQLException {
    for (int from = 0; from < rows.size(); from += ROWS) {
      int to = Math.min(rows.size(), from + ROWS);
      statement.execute(
          "INSERT INTO " + table + " VALUES " + String.join(",", rows.subList(from, to)));
    }
  }
}
