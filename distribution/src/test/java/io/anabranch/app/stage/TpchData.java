package io.anabranch.app.stage;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Tables of TPC-H at scale 0.01 with rows of the same kinds and numbers as the benchmark's own, not
 * the same rows. Equal seeds give equal rows.
 */
final class TpchData {

  static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE IF NOT EXISTS region (r_regionkey INT NOT NULL PRIMARY KEY, r_name CHAR(25) NOT NULL, r_comment VARCHAR(152))",
          "CREATE TABLE IF NOT EXISTS nation (n_nationkey INT NOT NULL PRIMARY KEY, n_name CHAR(25) NOT NULL, n_regionkey INT NOT NULL, n_comment VARCHAR(152))",
          "CREATE TABLE IF NOT EXISTS part (p_partkey INT NOT NULL PRIMARY KEY, p_name VARCHAR(55) NOT NULL, p_mfgr CHAR(25) NOT NULL, p_brand CHAR(10) NOT NULL, p_type VARCHAR(25) NOT NULL, p_size INT NOT NULL, p_container CHAR(10) NOT NULL, p_retailprice DECIMAL(15,2) NOT NULL, p_comment VARCHAR(23) NOT NULL)",
          "CREATE TABLE IF NOT EXISTS supplier (s_suppkey INT NOT NULL PRIMARY KEY, s_name CHAR(25) NOT NULL, s_address VARCHAR(40) NOT NULL, s_nationkey INT NOT NULL, s_phone CHAR(15) NOT NULL, s_acctbal DECIMAL(15,2) NOT NULL, s_comment VARCHAR(101) NOT NULL)",
          "CREATE TABLE IF NOT EXISTS partsupp (ps_partkey INT NOT NULL, ps_suppkey INT NOT NULL, ps_availqty INT NOT NULL, ps_supplycost DECIMAL(15,2) NOT NULL, ps_comment VARCHAR(199) NOT NULL, PRIMARY KEY (ps_partkey, ps_suppkey))",
          "CREATE TABLE IF NOT EXISTS customer (c_custkey INT NOT NULL PRIMARY KEY, c_name VARCHAR(25) NOT NULL, c_address VARCHAR(40) NOT NULL, c_nationkey INT NOT NULL, c_phone CHAR(15) NOT NULL, c_acctbal DECIMAL(15,2) NOT NULL, c_mktsegment CHAR(10) NOT NULL, c_comment VARCHAR(117) NOT NULL)",
          "CREATE TABLE IF NOT EXISTS orders (o_orderkey INT NOT NULL PRIMARY KEY, o_custkey INT NOT NULL, o_orderstatus CHAR(1) NOT NULL, o_totalprice DECIMAL(15,2) NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority CHAR(15) NOT NULL, o_clerk CHAR(15) NOT NULL, o_shippriority INT NOT NULL, o_comment VARCHAR(79) NOT NULL, KEY (o_custkey))",
          "CREATE TABLE IF NOT EXISTS lineitem (l_orderkey INT NOT NULL, l_partkey INT NOT NULL, l_suppkey INT NOT NULL, l_linenumber INT NOT NULL, l_quantity DECIMAL(15,2) NOT NULL, l_extendedprice DECIMAL(15,2) NOT NULL, l_discount DECIMAL(15,2) NOT NULL, l_tax DECIMAL(15,2) NOT NULL, l_returnflag CHAR(1) NOT NULL, l_linestatus CHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL, l_receiptdate DATE NOT NULL, l_shipinstruct CHAR(25) NOT NULL, l_shipmode CHAR(10) NOT NULL, l_comment VARCHAR(44) NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber), KEY (l_partkey), KEY (l_suppkey))");

  private static final int PARTS = 2000;
  private static final int SUPPLIERS = 100;
  private static final int CUSTOMERS = 1500;
  private static final int ORDERS = 15_000;
  private static final int ROWS_PER_INSERT = 500;

  private static final String[] REGIONS = {"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"};
  private static final String[] NATIONS =
      ("ALGERIA 0,ARGENTINA 1,BRAZIL 1,CANADA 1,EGYPT 4,ETHIOPIA 0,FRANCE 3,GERMANY 3,INDIA 2,"
              + "INDONESIA 2,IRAN 4,IRAQ 4,JAPAN 2,JORDAN 4,KENYA 0,MOROCCO 0,MOZAMBIQUE 0,PERU 1,"
              + "CHINA 2,ROMANIA 3,SAUDI ARABIA 4,VIETNAM 2,RUSSIA 3,UNITED KINGDOM 3,UNITED STATES 1")
          .split(",", -1);
  private static final String[] COLOURS = {
    "almond", "azure", "blue", "chocolate", "forest", "green", "ivory", "lime", "plum", "red"
  };
  private static final String[] TYPE_1 = {
    "STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"
  };
  private static final String[] TYPE_2 = {"ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"};
  private static final String[] TYPE_3 = {"TIN", "NICKEL", "BRASS", "STEEL", "COPPER"};
  private static final String[] SIZES = {"SM", "MED", "LG", "JUMBO", "WRAP"};
  private static final String[] BOXES = {"CASE", "BOX", "BAG", "PACK", "PKG", "JAR", "CAN", "DRUM"};
  private static final String[] SEGMENTS = {
    "AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"
  };
  private static final String[] PRIORITIES = {
    "1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"
  };
  private static final String[] INSTRUCTIONS = {
    "DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"
  };
  private static final String[] MODES = {"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"};
  private static final String[] WORDS = {
    "special", "requests", "Customer", "Complaints", "deposits", "foxes", "ideas", "packages"
  };

  private static final LocalDate FIRST_DAY = LocalDate.of(1992, 1, 1);
  private static final LocalDate TODAY = LocalDate.of(1995, 6, 17);

  private final Random random;
  private final Statement[] targets;
  private final StringBuilder rows = new StringBuilder();
  private final StringBuilder lines = new StringBuilder();
  private String table = "";
  private int rowCount;

  private TpchData(long seed, Statement... targets) {
    this.random = new Random(seed);
    this.targets = targets;
  }

  /** Makes all tables in each of the two databases and fills them alike. */
  static void fill(long seed, Connection one, Connection other) throws SQLException {
    try (Statement a = one.createStatement();
        Statement b = other.createStatement()) {
      for (String sql : SCHEMA) {
        a.execute(sql);
        b.execute(sql);
      }
      new TpchData(seed, a, b).fill();
    }
  }

  private void fill() throws SQLException {
    for (int i = 0; i < REGIONS.length; i++) {
      add("region", i, text(REGIONS[i]), text(words(3)));
    }
    for (int i = 0; i < NATIONS.length; i++) {
      int blank = NATIONS[i].lastIndexOf(' ');
      String name = NATIONS[i].substring(0, blank);
      add("nation", i, text(name), NATIONS[i].substring(blank + 1), text(words(3)));
    }
    for (int i = 1; i <= SUPPLIERS; i++) {
      int nation = random.nextInt(NATIONS.length);
      add(
          "supplier",
          i,
          text("Supplier#%09d".formatted(i)),
          text(words(2)),
          nation,
          text(phone(nation)),
          money(-99_999, 999_999),
          text(words(6)));
    }
    for (int i = 1; i <= PARTS; i++) {
      part(i);
    }
    for (int i = 1; i <= CUSTOMERS; i++) {
      int nation = random.nextInt(NATIONS.length);
      add(
          "customer",
          i,
          text("Customer#%09d".formatted(i)),
          text(words(2)),
          nation,
          text(phone(nation)),
          money(-99_999, 999_999),
          text(one(SEGMENTS)),
          text(words(6)));
    }
    for (int i = 1; i <= ORDERS; i++) {
      order(i);
    }
    flush();
  }

  private void part(int key) throws SQLException {
    int maker = 1 + random.nextInt(5);
    add(
        "part",
        key,
        text(one(COLOURS) + " " + one(COLOURS) + " " + one(COLOURS)),
        text("Manufacturer#" + maker),
        text("Brand#" + maker + (1 + random.nextInt(5))),
        text(one(TYPE_1) + " " + one(TYPE_2) + " " + one(TYPE_3)),
        1 + random.nextInt(50),
        text(one(SIZES) + " " + one(BOXES)),
        money(90_000, 200_000),
        text(words(2)));
  }

  private void supplies() throws SQLException {
    for (int part = 1; part <= PARTS; part++) {
      for (int i = 0; i < 4; i++) {
        add(
            "partsupp",
            part,
            supplierOf(part, i),
            1 + random.nextInt(9999),
            money(100, 100_000),
            text(words(8)));
      }
    }
  }

  private static int supplierOf(int part, int number) {
    return (part + number * (SUPPLIERS / 4 + (part - 1) / SUPPLIERS)) % SUPPLIERS + 1;
  }

  /** Customers with a number that three divides never order anything. */
  private void order(int key) throws SQLException {
    if (key == 1) {
      supplies();
    }
    int customer = 1 + random.nextInt(CUSTOMERS);
    customer = customer % 3 == 0 ? customer - 1 : customer;
    LocalDate ordered = FIRST_DAY.plusDays(random.nextInt(2400));
    int count = 1 + random.nextInt(7);
    var items = new Object[count][];
    int shipped = 0;
    for (int i = 0; i < count; i++) {
      LocalDate ship = ordered.plusDays(1 + random.nextInt(121));
      LocalDate receipt = ship.plusDays(1 + random.nextInt(30));
      boolean isShipped = !ship.isAfter(TODAY);
      shipped += isShipped ? 1 : 0;
      int part = 1 + random.nextInt(PARTS);
      String flag = receipt.isAfter(TODAY) ? "N" : random.nextBoolean() ? "R" : "A";
      items[i] =
          new Object[] {
            key,
            part,
            supplierOf(part, random.nextInt(4)),
            i + 1,
            1 + random.nextInt(50),
            money(90_000, 9_000_000),
            "0.%02d".formatted(random.nextInt(11)),
            "0.%02d".formatted(random.nextInt(9)),
            text(flag),
            text(isShipped ? "F" : "O"),
            text(ship.toString()),
            text(ordered.plusDays(30 + random.nextInt(61)).toString()),
            text(receipt.toString()),
            text(one(INSTRUCTIONS)),
            text(one(MODES)),
            text(words(3))
          };
    }
    String status = shipped == count ? "F" : shipped == 0 ? "O" : "P";
    add(
        "orders",
        key,
        customer,
        text(status),
        money(100_000, 50_000_000),
        text(ordered.toString()),
        text(one(PRIORITIES)),
        text("Clerk#%09d".formatted(random.nextInt(10))),
        0,
        text(words(5)));
    for (Object[] item : items) {
      addLine(item);
    }
  }

  private void addLine(Object... cells) throws SQLException {
    append(lines, cells);
    if (lines.length() > ROWS_PER_INSERT * 150) {
      flushLines();
    }
  }

  private void add(String into, Object... cells) throws SQLException {
    if (!into.equals(table) || rowCount >= ROWS_PER_INSERT) {
      flush();
      table = into;
    }
    append(rows, cells);
    rowCount++;
  }

  private static void append(StringBuilder to, Object... cells) {
    to.append(to.isEmpty() ? "(" : ",(");
    for (int i = 0; i < cells.length; i++) {
      to.append(i == 0 ? "" : ",").append(cells[i]);
    }
    to.append(')');
  }

  private void flush() throws SQLException {
    if (rowCount > 0) {
      insert(table, rows);
      rowCount = 0;
    }
    flushLines();
  }

  private void flushLines() throws SQLException {
    if (!lines.isEmpty()) {
      insert("lineitem", lines);
    }
  }

  private void insert(String into, StringBuilder values) throws SQLException {
    for (Statement target : targets) {
      target.execute("INSERT INTO " + into + " VALUES " + values);
    }
    values.setLength(0);
  }

  private String phone(int nation) {
    return "%02d-%03d-%03d-%04d"
        .formatted(10 + nation, random.nextInt(1000), random.nextInt(1000), random.nextInt(10_000));
  }

  private String money(int from, int to) {
    int cents = from + random.nextInt(to - from);
    return String.format(Locale.ROOT, "%d.%02d", cents / 100, Math.abs(cents % 100));
  }

  private String words(int number) {
    var text = new StringBuilder(one(WORDS));
    for (int i = 1; i < number; i++) {
      text.append(' ').append(one(WORDS));
    }
    return text.toString();
  }

  private String one(String[] of) {
    return of[random.nextInt(of.length)];
  }

  private static String text(String value) {
    return "'" + value + "'";
  }
}
