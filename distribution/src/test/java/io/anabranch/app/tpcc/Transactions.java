package io.anabranch.app.tpcc;

import io.anabranch.app.tpcc.Sql.Row;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The five transactions (clause 2) without their COMMIT. What a transaction is about is drawn
 * before it begins, so that it can be tried again after a deadlock.
 */
final class Transactions {

  /** One of the five, with its input. */
  sealed interface Input permits NewOrder, Payment, OrderStatus, Delivery, StockLevel {}

  /** An order line: item, supplying warehouse, quantity. */
  record Line(int item, int warehouse, int quantity) {}

  record NewOrder(int warehouse, int district, int customer, List<Line> lines) implements Input {}

  /** Who pays: by number, or by name if that is not empty. */
  record Payer(int warehouse, int district, int number, String name) {}

  record Payment(int warehouse, int district, Payer payer, BigDecimal amount) implements Input {}

  record OrderStatus(Payer customer) implements Input {}

  record Delivery(int warehouse, int carrier) implements Input {}

  record StockLevel(int warehouse, int district, int threshold) implements Input {}

  private final Sql sql;

  Transactions(Sql sql) {
    this.sql = sql;
  }

  /**
   * @return whether it is to be committed
   */
  boolean run(Input input) throws SQLException {
    return switch (input) {
      case NewOrder order -> newOrder(order);
      case Payment payment -> payment(payment);
      case OrderStatus status -> orderStatus(status);
      case Delivery delivery -> delivery(delivery);
      case StockLevel level -> stockLevel(level);
    };
  }

  private boolean newOrder(NewOrder in) throws SQLException {
    int w = in.warehouse();
    int d = in.district();
    Row customer =
        sql.row(
            "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = ? AND"
                + " c_w_id = w_id AND c_d_id = ? AND c_id = ?",
            w,
            d,
            in.customer());
    Row district =
        sql.row(
            "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE",
            w,
            d);
    int order = district.number(1);
    sql.change(
        1, "UPDATE district SET d_next_o_id = ? + 1 WHERE d_id = ? AND d_w_id = ?", order, d, w);
    boolean isLocal = in.lines().stream().allMatch(line -> line.warehouse() == w);
    sql.change(
        1,
        "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) VALUES"
            + " (?, ?, ?, ?, NOW(), ?, ?)",
        order,
        d,
        w,
        in.customer(),
        in.lines().size(),
        isLocal ? 1 : 0);
    sql.change(
        1, "INSERT INTO new_orders (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)", order, d, w);
    BigDecimal factor =
        BigDecimal.ONE
            .subtract(customer.money(1))
            .multiply(BigDecimal.ONE.add(customer.money(4)).add(district.money(2)));
    int number = 0;
    for (Line line : in.lines()) {
      List<Row> item =
          sql.rows("SELECT i_price, i_name, i_data FROM item WHERE i_id = ?", line.item());
      if (item.isEmpty()) {
        return false;
      }
      number++;
      line(in, order, number, line, item.getFirst().money(1), factor);
    }
    return true;
  }

  private void line(
      NewOrder in, int order, int number, Line line, BigDecimal price, BigDecimal factor)
      throws SQLException {
    Row stock =
        sql.row(
            "SELECT s_quantity, s_data, s_dist FROM stock WHERE s_i_id = ? AND s_w_id = ? FOR"
                + " UPDATE",
            line.item(),
            line.warehouse());
    int left = stock.number(1) - line.quantity();
    sql.change(
        1,
        "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1,"
            + " s_remote_cnt = s_remote_cnt + ? WHERE s_i_id = ? AND s_w_id = ?",
        left < 10 ? left + 91 : left,
        line.quantity(),
        line.warehouse() == in.warehouse() ? 0 : 1,
        line.item(),
        line.warehouse());
    BigDecimal amount = price.multiply(BigDecimal.valueOf(line.quantity())).multiply(factor);
    sql.change(
        1,
        "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,"
            + " ol_quantity, ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ROUND(?, 2), ?)",
        order,
        in.district(),
        in.warehouse(),
        number,
        line.item(),
        line.warehouse(),
        line.quantity(),
        amount,
        stock.text(3));
  }

  private boolean payment(Payment in) throws SQLException {
    int w = in.warehouse();
    int d = in.district();
    sql.change(1, "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", in.amount(), w);
    Row warehouse =
        sql.row(
            "SELECT w_name, w_street_1, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?", w);
    sql.change(
        1,
        "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?",
        in.amount(),
        w,
        d);
    Row district =
        sql.row(
            "SELECT d_name, d_street_1, d_city FROM district WHERE d_w_id = ? AND d_id = ?", w, d);
    Payer payer = in.payer();
    int c = number(payer);
    Row customer =
        sql.row(
            "SELECT c_first, c_last, c_credit, c_credit_lim, c_discount, c_balance FROM customer"
                + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE",
            payer.warehouse(),
            payer.district(),
            c);
    sql.change(
        1,
        "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
            + " c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
        in.amount(),
        in.amount(),
        payer.warehouse(),
        payer.district(),
        c);
    if (customer.text(3).equals("BC")) {
      sql.change(
          1,
          "UPDATE customer SET c_data = LEFT(CONCAT(?, c_data), 500) WHERE c_w_id = ? AND c_d_id ="
              + " ? AND c_id = ?",
          c + " " + d + " " + w + " " + in.amount() + " ",
          payer.warehouse(),
          payer.district(),
          c);
    }
    sql.change(
        1,
        "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
            + " VALUES (?, ?, ?, ?, ?, NOW(), ?, ?)",
        payer.district(),
        payer.warehouse(),
        c,
        d,
        w,
        in.amount(),
        warehouse.text(1) + "    " + district.text(1));
    return true;
  }

  /** Of those of one name it is the one in the middle. */
  private int number(Payer payer) throws SQLException {
    if (payer.name().isEmpty()) {
      return payer.number();
    }
    List<Row> namesakes =
        sql.rows(
            "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY"
                + " c_first",
            payer.warehouse(),
            payer.district(),
            payer.name());
    return namesakes.get((namesakes.size() - 1) / 2).number(1);
  }

  private boolean orderStatus(OrderStatus in) throws SQLException {
    Payer customer = in.customer();
    int c = number(customer);
    List<Row> last =
        sql.rows(
            "SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = ? AND o_d_id = ? AND"
                + " o_c_id = ? ORDER BY o_id DESC LIMIT 1",
            customer.warehouse(),
            customer.district(),
            c);
    for (Row order : last) {
      List<Row> lines =
          sql.rows(
              "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM"
                  + " order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
              customer.warehouse(),
              customer.district(),
              order.number(1));
      if (lines.isEmpty()) {
        throw new IllegalStateException("an order without lines: " + customer + " " + order);
      }
    }
    return true;
  }

  private boolean delivery(Delivery in) throws SQLException {
    int w = in.warehouse();
    for (int d = 1; d <= Scale.DISTRICTS; d++) {
      List<Row> oldest =
          sql.rows(
              "SELECT no_o_id FROM new_orders WHERE no_d_id = ? AND no_w_id = ? ORDER BY no_o_id"
                  + " ASC LIMIT 1 FOR UPDATE",
              d,
              w);
      if (!oldest.isEmpty()) {
        deliver(in, d, oldest.getFirst().number(1));
      }
    }
    return true;
  }

  private void deliver(Delivery in, int d, int order) throws SQLException {
    int w = in.warehouse();
    sql.change(
        1, "DELETE FROM new_orders WHERE no_o_id = ? AND no_d_id = ? AND no_w_id = ?", order, d, w);
    int customer =
        sql.row(
                "SELECT o_c_id FROM orders WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?",
                order,
                d,
                w)
            .number(1);
    sql.change(
        1,
        "UPDATE orders SET o_carrier_id = ? WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?",
        in.carrier(),
        order,
        d,
        w);
    Row sum =
        sql.row(
            "SELECT SUM(ol_amount), COUNT(*) FROM order_line WHERE ol_o_id = ? AND ol_d_id = ? AND"
                + " ol_w_id = ?",
            order,
            d,
            w);
    sql.change(
        sum.number(2),
        "UPDATE order_line SET ol_delivery_d = NOW() WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id"
            + " = ?",
        order,
        d,
        w);
    sql.change(
        1,
        "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 WHERE"
            + " c_id = ? AND c_d_id = ? AND c_w_id = ?",
        sum.money(1),
        customer,
        d,
        w);
  }

  private boolean stockLevel(StockLevel in) throws SQLException {
    int next =
        sql.row(
                "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?",
                in.warehouse(),
                in.district())
            .number(1);
    sql.row(
        "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ? AND"
            + " ol_o_id < ? AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity <"
            + " ?",
        in.warehouse(),
        in.district(),
        next,
        next - 20,
        in.warehouse(),
        in.threshold());
    return true;
  }

  /** What a terminal of warehouse {@code w} wants, drawn as the standard says. */
  static Input draw(Card card, int w, Scale scale, Dice dice) {
    int d = dice.between(1, Scale.DISTRICTS);
    return switch (card) {
      case NEW_ORDER -> new NewOrder(w, d, dice.customer(scale), lines(w, scale, dice));
      case PAYMENT -> {
        boolean isRemote = dice.isOneOf(scale.remotePayments(), 100);
        int from = isRemote ? dice.other(w, scale) : w;
        int district = isRemote ? dice.between(1, Scale.DISTRICTS) : d;
        yield new Payment(w, d, payer(from, district, scale, dice), dice.money(100, 500000));
      }
      case ORDER_STATUS -> new OrderStatus(payer(w, d, scale, dice));
      case DELIVERY -> new Delivery(w, dice.between(1, 10));
      case STOCK_LEVEL -> new StockLevel(w, d, dice.between(10, 20));
    };
  }

  /** One order of a hundred has an item that does not exist. */
  private static List<Line> lines(int w, Scale scale, Dice dice) {
    int count = dice.between(5, 15);
    var lines = new ArrayList<Line>(count);
    for (int i = 0; i < count; i++) {
      int from = dice.isOneOf(scale.remoteLines(), 1000) ? dice.other(w, scale) : w;
      lines.add(new Line(dice.item(scale), from, dice.between(1, 10)));
    }
    if (dice.isOneOf(1, 100)) {
      lines.set(count - 1, new Line(scale.items() + 1, w, 1));
    }
    return lines;
  }

  private static Payer payer(int w, int d, Scale scale, Dice dice) {
    boolean isByName = dice.isOneOf(60, 100);
    return new Payer(w, d, dice.customer(scale), isByName ? dice.lastName(scale) : "");
  }

  /** Which of the five comes next: a terminal's deck has 23 cards (clause 5.2.4.2). */
  enum Card {
    NEW_ORDER(10),
    PAYMENT(10),
    ORDER_STATUS(1),
    DELIVERY(1),
    STOCK_LEVEL(1);

    final int inDeck;

    Card(int inDeck) {
      this.inDeck = inDeck;
    }
  }
}
