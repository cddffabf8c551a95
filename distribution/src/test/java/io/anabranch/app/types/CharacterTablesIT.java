package io.anabranch.app.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.value.StoredCharacters;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What is believed of the character sets of columns is what servers make of them: each character of
 * 16 bits as they store it, and each pair of bytes as they read it, or it is not believed to be
 * known.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class CharacterTablesIT {

  private static final String NUMBERS =
      "WITH RECURSIVE n AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM n WHERE n < 255)"
          + " SELECT 256 * a.n + b.n AS n FROM n a CROSS JOIN n b";

  @Test
  void onMariaDb(MariaDbServers servers) throws Exception {
    try (TypesArena arena = TypesArena.onMariaDb(servers)) {
      compare(arena);
    }
  }

  @Test
  void onMySql() throws Exception {
    MySqlServer.assumeInstalled();
    try (TypesArena arena = TypesArena.onMySql()) {
      compare(arena);
    }
  }

  private static void compare(TypesArena arena) throws Exception {
    var differences = new ArrayList<String>();
    try (Connection plain = arena.plain(false);
        Statement statement = plain.createStatement()) {
      statement.execute("SET sql_mode = ''");
      statement.execute("CREATE TABLE numbers (n INT PRIMARY KEY) " + NUMBERS);
      var names = new TreeSet<>(StoredCharacters.names());
      names.retainAll(characterSets(statement));
      for (String name : names) {
        StoredCharacters characters = Objects.requireNonNull(StoredCharacters.of(name));
        if (!name.equals("utf32")) {
          read(statement, name, characters, differences);
        }
        stored(statement, name, characters, differences);
      }
      statement.execute("DROP TABLE numbers");
    }
    assertThat(differences).isEmpty();
  }

  private static Set<String> characterSets(Statement statement) throws Exception {
    var names = new TreeSet<String>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT character_set_name FROM information_schema.character_sets")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    assertThat(names).contains("utf8mb4", "latin1", "gbk");
    return names;
  }

  private static void stored(
      Statement statement, String name, StoredCharacters characters, List<String> differences)
      throws Exception {
    String sql =
        """
        SELECT n, HEX(CONVERT(CONVERT(CONVERT(UNHEX(LPAD(HEX(n), 4, '0')) USING utf16) USING %s)
        USING utf16)) FROM numbers WHERE n NOT BETWEEN 0xD800 AND 0xDFFF ORDER BY n
        """
            .formatted(name);
    int known = 0;
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        String character = Character.toString(rows.getInt(1));
        String seen = characters.stored(character);
        known += seen == null ? 0 : 1;
        String wanted = text(rows.getString(2));
        if (seen != null && !seen.equals(wanted)) {
          differences.add("%s stores %04x as %s".formatted(name, rows.getInt(1), wanted));
        }
      }
    }
    assertThat(known).as(name).isGreaterThan(128);
  }

  private static void read(
      Statement statement, String name, StoredCharacters characters, List<String> differences)
      throws Exception {
    String sql =
        """
        SELECT LPAD(HEX(n), IF(n < 256, 2, 4), '0'), HEX(CONVERT(CONVERT(
        UNHEX(LPAD(HEX(n), IF(n < 256, 2, 4), '0')) USING %s) USING utf16)) FROM numbers ORDER BY n
        """
            .formatted(name);
    int known = 0;
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        byte[] bytes = HexFormat.of().parseHex(rows.getString(1));
        String seen = characters.read(bytes, 0, bytes.length);
        known += seen == null ? 0 : 1;
        String wanted = text(rows.getString(2));
        if (seen != null && !seen.equals(wanted)) {
          differences.add("%s reads %s as %s".formatted(name, rows.getString(1), wanted));
        }
      }
    }
    assertThat(known).as(name).isGreaterThanOrEqualTo(128);
  }

  private static @Nullable String text(@Nullable String utf16) {
    return utf16 == null
        ? null
        : new String(HexFormat.of().parseHex(utf16), StandardCharsets.UTF_16BE);
  }
}
