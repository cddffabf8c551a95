package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.protection.EncryptIT.Layout;
import io.anabranch.app.protection.EncryptIT.Pair;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * LOAD DATA LOCAL into encrypted columns: rows are those that a database with plain values gets
 * from the same file, and are stored as INSERT stores them. {@code -Dload.seeds=1,100} draws from
 * the first to the last of these.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class EncryptLoadIT {

  private static final List<String> COLUMNS = List.of("id", "phone", "mail", "note", "city");
  private static final String LOCAL = "allowLocalInfile=true";

  /** What equal values are stored as. */
  private static final String STORED = "id, phone_cipher, phone_hash, phone_like, mail, city";

  private static final List<String> WORDS =
      List.of(
          "13800000001", "", "a\\b", "it's", "tab\there", "two\nlines", "\"quoted\"", "#,;", "N");

  private static final List<String> LETTERS =
      List.of("M\u00fcnchen", "\u6c49\u5b57", "\ud83d\ude00!", "\u20ac 5");

  @TempDir private Path directory;

  /** How a file is written. */
  private record Format(
      Charset charset,
      String named,
      String fieldEnd,
      String enclosing,
      String escape,
      String start) {

    static Format of(Random random) {
      boolean isLatin = random.nextInt(4) == 0;
      return new Format(
          isLatin ? Charset.forName("windows-1252") : StandardCharsets.UTF_8,
          isLatin ? "latin1" : random.nextBoolean() ? "utf8mb4" : "",
          List.of("\t", ",", ";;").get(random.nextInt(3)),
          List.of("", "\"", "'").get(random.nextInt(3)),
          List.of("\\", "!").get(random.nextInt(2)),
          random.nextInt(5) == 0 ? ">>" : "");
    }

    String sql() {
      return (named.isEmpty() ? "" : " CHARACTER SET " + named)
          + " FIELDS TERMINATED BY '"
          + fieldEnd
          + "' OPTIONALLY ENCLOSED BY '"
          + enclosing.replace("'", "''")
          + "' ESCAPED BY '"
          + escape.replace("\\", "\\\\")
          + "' LINES STARTING BY '"
          + start
          + "'";
    }

    private String field(@Nullable String value) {
      if (value == null) {
        return escape + "N";
      }
      var text = new StringBuilder(enclosing);
      value
          .codePoints()
          .forEach(
              point -> {
                String each = Character.toString(point);
                boolean isSpecial = (escape + fieldEnd + enclosing + start + "\n").contains(each);
                text.append(isSpecial ? escape : "").append(each);
              });
      return text.append(enclosing).toString();
    }

    String line(List<@Nullable String> values) {
      return start + String.join(fieldEnd, values.stream().map(this::field).toList()) + "\n";
    }
  }

  private static @Nullable String value(Random random, Format format, String column) {
    if (column.equals("id")) {
      return Integer.toString(1 + random.nextInt(40));
    }
    List<String> pool = random.nextInt(3) == 0 ? LETTERS : WORDS;
    // what is found by LIKE takes letters of Latin-1
    String word = pool.get(random.nextInt(isLatin(column, pool) ? 1 : pool.size()));
    boolean isNull = !column.equals("phone") && random.nextInt(5) == 0;
    boolean fits = format.charset().newEncoder().canEncode(word);
    return isNull ? null : fits ? word : "plain";
  }

  private static boolean isLatin(String column, List<String> pool) {
    return pool.equals(LETTERS) && !column.equals("mail") && !column.equals("city");
  }

  private String drawn(Random random, Path file) throws IOException {
    Format format = Format.of(random);
    var columns = new ArrayList<>(COLUMNS);
    String list = "";
    String set = "";
    int form = random.nextInt(4);
    if (form > 0) {
      Collections.shuffle(columns, random);
      list = " (" + String.join(", ", columns) + ")";
    }
    if (form > 1) {
      list = list.replace("phone", "@number").replace("note", "@dropped");
      set =
          " SET phone = @number, note = "
              + List.of("'a ''note''', city = UPPER(@dropped)", "NULL", "@dropped", "4711")
                  .get(random.nextInt(4));
      list = set.contains("city") ? list.replace("city", "@city") : list;
    }
    var text = new StringBuilder("heading\n".repeat(form));
    int lines = 1 + random.nextInt(12);
    for (int line = 0; line < lines; line++) {
      var values = new ArrayList<@Nullable String>();
      columns.forEach(column -> values.add(value(random, format, column)));
      boolean isShort = random.nextInt(6) == 0 && columns.getLast().equals("city");
      text.append(format.line(isShort ? values.subList(0, 4) : values));
    }
    Files.write(file, text.toString().getBytes(format.charset()));
    return "LOAD DATA LOCAL INFILE '"
        + file
        + "'"
        + List.of("", " IGNORE", " REPLACE").get(random.nextInt(3))
        + " INTO TABLE person"
        + format.sql()
        + (form == 0 ? "" : " IGNORE " + form + " LINES")
        + list
        + set;
  }

  private static Connection plain(Pair pair) throws SQLException {
    return Driver.MARIADB.connect(
        pair.servers.getFirst().port(),
        pair.schema + "_plain",
        MariaDbServer.USER,
        MariaDbServer.PASSWORD,
        LOCAL);
  }

  private static List<String> stored(Pair pair, Layout layout) throws SQLException {
    var all = new ArrayList<String>();
    for (DatabaseServer server : pair.servers) {
      try (Connection direct = server.connect(pair.schema)) {
        for (String table : EncryptIT.column(direct, "SHOW TABLES LIKE 'person%'")) {
          for (List<@Nullable String> row :
              EncryptIT.rows(direct, "SELECT " + STORED + " FROM " + table)) {
            // the first and the last are not encrypted
            assertThat(row.subList(1, row.size() - 1).toString()).doesNotContain("138000000");
            all.add(layout + table + row);
          }
        }
      }
    }
    Collections.sort(all);
    return all;
  }

  private static void insert(Connection client, List<List<@Nullable String>> rows)
      throws SQLException {
    try (PreparedStatement insert =
        client.prepareStatement("INSERT INTO person VALUES (?, ?, ?, ?, ?)")) {
      for (List<@Nullable String> row : rows) {
        for (int i = 0; i < row.size(); i++) {
          insert.setString(i + 1, row.get(i));
        }
        insert.execute();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void storesWhatInsertStores(Layout layout, DatabaseServers servers) throws Exception {
    String[] seeds = System.getProperty("load.seeds", "1,40").split(",", -1);
    var different = new ArrayList<String>();
    Path file = directory.resolve("rows.txt");
    try (Pair pair = new Pair(servers, layout, "it_encrypt_load");
        Connection client = pair.client(LOCAL);
        Connection plain = plain(pair)) {
      for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
        String sql = drawn(new Random(seed), file);
        var told = new ArrayList<String>();
        for (Connection each : List.of(client, plain)) {
          EncryptIT.run(each, "DELETE FROM person");
          EncryptIT.run(each, "INSERT INTO person (id, phone) VALUES (7, 'was there')");
          told.add(
              counted(each, sql) + " " + EncryptIT.rows(each, "SELECT * FROM person ORDER BY id"));
        }
        List<String> loaded = stored(pair, layout);
        EncryptIT.run(client, "DELETE FROM person");
        insert(client, EncryptIT.rows(plain, "SELECT * FROM person"));
        List<String> inserted = stored(pair, layout);
        if (!told.getFirst().equals(told.getLast()) || !loaded.equals(inserted)) {
          different.add(
              seed
                  + ": "
                  + sql
                  + "\n"
                  + told.getFirst()
                  + "\n"
                  + told.getLast()
                  + "\n"
                  + loaded
                  + "\n"
                  + inserted);
        }
      }
    }
    assertThat(different).isEmpty();
  }

  /** Rows that were changed, or the error. */
  private static String counted(Connection client, String sql) {
    try {
      return "rows " + EncryptIT.run(client, sql);
    } catch (SQLException e) {
      return "error " + e.getErrorCode();
    }
  }

  /** A file and how it is read. */
  private record Odd(String text, String format) {}

  private static final String QUOTED =
      " CHARACTER SET latin1 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' ESCAPED BY ";

  private static List<Odd> oddities() {
    return List.of(
        new Odd(
            """
            1,'a ''b''','x''nN',note,'c,'',d'
            2,'say ''hi''','2''','two
            lines',''
            3,ab'cd,ef''gh,'',NULL
            4,'NULL','a'b','''N',x
            """
                .replace('\'', '"'),
            QUOTED + "'\"'"),
        new Odd("1,\"a\",\"b\",\"c\",\"open", QUOTED + "'\"'"),
        new Odd("1,\"a\",\"b\",\"c\",\"d\"", QUOTED + "'\"'"),
        new Odd(
            "1,\"\\Network\\share\",\"\\N\",\\NULL,\"\\NULL\"\n2,a,b,c,\"open", QUOTED + "'\\\\'"),
        new Odd("1,a,b,c,", QUOTED + "'\\\\'"),
        new Odd("1,a,b,c,d\\", QUOTED + "'\\\\'"),
        new Odd("1,\"a\"x\",b,NULL,\\N\n2,a,b,N\\,,d\n", QUOTED + "''"));
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void readsOddFilesAsServersDo(Layout layout, DatabaseServers servers) throws Exception {
    Path file = directory.resolve("odd.txt");
    try (Pair pair = new Pair(servers, layout, "it_encrypt_load");
        Connection client = pair.client(LOCAL);
        Connection plain = plain(pair)) {
      for (Odd odd : oddities()) {
        Files.writeString(file, odd.text(), StandardCharsets.ISO_8859_1);
        var told = new ArrayList<String>();
        for (Connection each : List.of(client, plain)) {
          EncryptIT.run(each, "DELETE FROM person");
          told.add(
              counted(
                      each,
                      "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE person" + odd.format())
                  + EncryptIT.rows(each, "SHOW WARNINGS")
                  + EncryptIT.rows(each, "SELECT * FROM person ORDER BY id"));
        }
        assertThat(told.getFirst()).as(odd.toString()).isEqualTo(told.getLast());
      }
    }
  }

  /** In GBK the second byte of this character is that of a backslash. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void readsCharactersOfTwoBytes(Layout layout, DatabaseServers servers) throws Exception {
    Path file = directory.resolve("gbk.txt");
    Files.writeString(file, "1\t\u8aa0\t\u8aa0\n2\ta\t\u8aa0\n", Charset.forName("GBK"));
    try (Pair pair = new Pair(servers, layout, "it_encrypt_load");
        Connection client = pair.client(LOCAL);
        Connection plain = plain(pair)) {
      for (Connection each : List.of(client, plain)) {
        EncryptIT.run(
            each,
            "LOAD DATA LOCAL INFILE '"
                + file
                + "' INTO TABLE person CHARACTER SET gbk (id, mail, city)"
                + " SET phone = '1', note = 'x'");
        List<List<@Nullable String>> rows =
            EncryptIT.rows(each, "SELECT id, mail, city FROM person ORDER BY id");
        assertThat(rows)
            .containsExactly(List.of("1", "\u8aa0", "\u8aa0"), List.of("2", "a", "\u8aa0"));
      }
    }
  }

  /** The name of a character set stands in statements of the proxy's own account. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void putsNoNameOfAClientIntoItsStatements(Layout layout, DatabaseServers servers)
      throws Exception {
    Path file = directory.resolve("injected.txt");
    Files.write(file, "7\t\u00e9\n".getBytes(StandardCharsets.UTF_8));
    try (Pair pair = new Pair(servers, layout, "it_encrypt_load");
        Connection client = pair.client(LOCAL)) {
      for (String name :
          List.of(
              "`utf8mb4 ''),(8,(SELECT GROUP_CONCAT(user) FROM mysql.user)) -- `",
              "'utf8mb4 x'",
              "nothing")) {
        String sql =
            "LOAD DATA LOCAL INFILE '"
                + file
                + "' INTO TABLE person CHARACTER SET "
                + name
                + " (id, mail) SET phone = 'x'";
        assertThat(counted(client, sql)).as(name).isEqualTo("error 1115");
      }
      assertThat(stored(pair, layout)).isEmpty();
    }
  }

  private static List<String> refused() {
    return List.of(
        "LOAD DATA INFILE '%s' INTO TABLE person",
        "LOAD XML LOCAL INFILE '%s' INTO TABLE person",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, phone_cipher)",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p) SET phone = UPPER(@p)",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p) SET phone = @p, phone_hash = @p",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p) SET phone = 'x', city = phone",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p) SET phone = 1.5e3",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p)" + " SET phone = (SELECT 'x')",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE visit (id, @p)"
            + " SET city = (SELECT phone FROM person)",
        // the second line has no number, or it is NULL
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, phone)",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p) SET phone = @p",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person (id, @p) SET phone = NULL",
        // the first is no text
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person CHARACTER SET binary (id, mail, phone)",
        "LOAD DATA LOCAL INFILE '%s' INTO TABLE person CHARACTER SET utf8mb4 LINES TERMINATED BY"
            + " ';' (id, phone)");
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void refusesWhatWouldBeStoredOtherwise(Layout layout, DatabaseServers servers) throws Exception {
    Path file = directory.resolve("rows.txt");
    Files.write(file, "1\t\u00fc\n2\n3\t\\N\n".getBytes(StandardCharsets.ISO_8859_1));
    try (Pair pair = new Pair(servers, layout, "it_encrypt_load");
        Connection client = pair.client(LOCAL)) {
      for (String sql : refused()) {
        assertThat(EncryptIT.refusal(client, sql.formatted(file)))
            .as(sql)
            .containsPattern("AB20(70|71|72|00|01)|not supported");
      }
      assertThat(stored(pair, layout)).isEmpty();
    }
  }
}
