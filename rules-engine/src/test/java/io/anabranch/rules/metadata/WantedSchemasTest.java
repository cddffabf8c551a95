package io.anabranch.rules.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code one} and {@code near} are on one server, {@code two} and {@code two_a} on others; {@code
 * one} is the current one. Of information_schema {@code I}.
 */
class WantedSchemasTest {

  private static final int TABLES = 50;
  private static final int REPEATED = 1000;

  private static final Neighbours DATABASES =
      new Neighbours(
          List.of(
              database("one", "a"),
              database("near", "a"),
              database("two", "b"),
              database("two_a", "c"),
              database("zwölf", "d")));

  private static LogicalDatabase database(String name, String server) {
    var source =
        new DataSourceDefinition(
            "ds_" + name,
            "jdbc:mariadb://" + server + "/" + name,
            "u",
            "p",
            1,
            1,
            1,
            1,
            1,
            false,
            Map.of());
    return new LogicalDatabase(
        name,
        Map.of(source.name(), source),
        Map.of(),
        Map.of(),
        Map.of(),
        new SingleTables(List.of(), null));
  }

  /** For each table in the order of the text, any database being {@code *}. */
  private static String wanted(String sql) {
    SqlTokens tokens = SqlTokens.of(sql.replace("I.", "information_schema."));
    var wanted = new WantedSchemas(tokens, "one", DATABASES);
    var all = new ArrayList<String>();
    for (int token : tokens.all().names(name -> tokens.isWord(name, "INFORMATION_SCHEMA"))) {
      if (!tokens.isPunctuation(token + 3, '.')) {
        Set<String> names = wanted.of(token);
        all.add(names == null ? "*" : String.join("+", new TreeSet<>(names)));
      }
    }
    return String.join(" ", all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      value = {
        "SELECT 1 FROM I.TABLES # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'two' # two",
        "SELECT 1 FROM I.TABLES WHERE 'TWO  ' = TABLE_SCHEMA # two",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'x' # one",
        "SELECT 1 FROM I.TABLES WHERE `TABLE_SCHEMA` <=> SCHEMA() # one",
        "SELECT 1 FROM I.TABLES t WHERE t.TABLE_SCHEMA IN ('one', DATABASE(), 'two') # one+two",
        "SELECT 1 FROM I.TABLES WHERE I.TABLES.TABLE_SCHEMA = 'two' # two",
        "SELECT 1 FROM I.TABLES WHERE TABLES.TABLE_SCHEMA = 'two' # two",
        "SELECT 1 FROM I.TABLES WHERE (((TABLE_SCHEMA = 'two'))) # two",
        "SELECT 1 FROM I.TABLES WHERE (TABLE_SCHEMA COLLATE utf8_bin = 'two' COLLATE utf8_bin) # two",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' OR TABLE_SCHEMA IN ('two') # one+two",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' OR TABLE_NAME = 'x' # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' XOR TABLE_NAME = 'x' # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' || TABLE_NAME = 'x' # *",
        "SELECT 1 FROM I.TABLES WHERE NOT TABLE_SCHEMA = 'one' # *",
        "SELECT 1 FROM I.TABLES WHERE NOT (TABLE_SCHEMA = 'one') AND 1 # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA NOT IN ('one') # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA <> 'one' # *",
        "SELECT 1 FROM I.TABLES WHERE (TABLE_SCHEMA = 'one') IS NULL # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' IS FALSE # *",
        "SELECT 1 FROM I.TABLES WHERE 0 = (TABLE_SCHEMA = 'one') # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' = 0 # *",
        "SELECT 1 FROM I.TABLES WHERE 1 BETWEEN 0 AND TABLE_SCHEMA = 'one' # *",
        "SELECT 1 FROM I.TABLES WHERE CASE WHEN 1 AND TABLE_SCHEMA = 'one' AND 0 THEN 0 ELSE 1 END # *",
        "SELECT 1 FROM I.TABLES WHERE IF(1, 0, TABLE_SCHEMA = 'one') # *",
        "SELECT 1 FROM I.TABLES WHERE VERSION > 1 BETWEEN 1 AND 2 AND TABLE_SCHEMA = 'one' # one",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'o' 'ne' # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = ? # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'zwolf' # zwolf+zwölf",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA IN ('one', TABLE_NAME) # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA IN (SELECT 'one') # *",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' AND TABLE_SCHEMA = 'two' # ~~",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA LIKE 'two' # two",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA LIKE 'two_a' # two_a",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA LIKE 'tw%' # tw%+two+two_a",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA LIKE 'two' ESCAPE 'w' # *",
        "SELECT 1 FROM I.TABLES WHERE (TABLE_SCHEMA, TABLE_NAME) IN (('one', 'a'), ('two', 'b')) # one+two",
        "SELECT 1 FROM I.TABLES WHERE (TABLE_NAME, TABLE_SCHEMA) IN (('two', 'one')) # one",
        "SELECT 1 FROM I.TABLES WHERE (TABLE_SCHEMA, TABLE_NAME) IN (('one', 'a'), (TABLE_NAME, 'b')) # *",
        "SELECT 1 FROM I.TABLES WHERE ISNULL(DATABASE()) OR (TABLE_SCHEMA = DATABASE()) # one",
        "SELECT 1 FROM I.TABLES WHERE (DATABASE() IS NULL OR TABLE_SCHEMA = 'two') AND 1 # two",
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = /*!50000 'one' OR */ 'two' # *",
        "SELECT 1 FROM I.TABLES HAVING TABLE_SCHEMA = 'one' # *",
        "SELECT TABLE_SCHEMA = 'one' FROM I.TABLES # *",
        "SELECT 1 FROM I.SCHEMATA WHERE SCHEMA_NAME = 'two' # two",
        "SELECT 1 FROM I.SCHEMATA WHERE TABLE_SCHEMA = 'two' # *",
        "SELECT 1 FROM I.VIEW_TABLE_USAGE WHERE TABLE_SCHEMA = 'two' # *",
        "SELECT 1 FROM I.VIEW_TABLE_USAGE WHERE VIEW_SCHEMA = 'two' # two",
        "SELECT 1 FROM I.TABLE_PRIVILEGES WHERE TABLE_SCHEMA = 'two' # two",
        "SELECT 1 FROM I.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = 'two' # two",
      })
  void oneTable(String sql, String expected) {
    assertThat(wanted(sql)).isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        // a condition is on its own table
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c ON t.TABLE_NAME = c.TABLE_NAME WHERE t.TABLE_SCHEMA = 'one' # one *",
        "SELECT 1 FROM I.TABLES t, I.COLUMNS c WHERE c.TABLE_SCHEMA = 'one' # * one",
        "SELECT 1 FROM I.TABLES t, I.COLUMNS c WHERE t.TABLE_SCHEMA = 'one' AND c.TABLE_SCHEMA = 'two' # one two",
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c ON t.TABLE_SCHEMA = 'two' AND c.TABLE_SCHEMA = 'one' # two one",
        // and on those of the same database
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c ON t.TABLE_SCHEMA = c.TABLE_SCHEMA WHERE t.TABLE_SCHEMA = 'one' # one one",
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c USING (TABLE_SCHEMA, TABLE_NAME) WHERE c.TABLE_SCHEMA = 'one' # one one",
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c USING (TABLE_SCHEMA, TABLE_NAME) WHERE TABLE_SCHEMA = 'one' # one one",
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c USING (TABLE_NAME) WHERE t.TABLE_SCHEMA = 'one' # one *",
        "SELECT 1 FROM I.TABLES t, I.COLUMNS c, I.VIEWS v WHERE t.TABLE_SCHEMA = c.TABLE_SCHEMA AND v.TABLE_SCHEMA = c.TABLE_SCHEMA AND (v.TABLE_SCHEMA) = 'two' # * * *",
        "SELECT 1 FROM I.TABLES t, I.COLUMNS c, I.VIEWS v WHERE t.TABLE_SCHEMA = c.TABLE_SCHEMA AND v.TABLE_SCHEMA = c.TABLE_SCHEMA AND v.TABLE_SCHEMA = 'two' # two two two",
        "SELECT 1 FROM I.TABLES t, I.COLUMNS c WHERE (t.TABLE_SCHEMA = c.TABLE_SCHEMA OR 1) AND t.TABLE_SCHEMA = 'two' # two *",
        "SELECT 1 FROM I.TABLES t, I.COLUMNS c WHERE NOT t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_SCHEMA = 'two' # two *",
        // rows of the left side of an outer join stay whatever ON says
        "SELECT 1 FROM I.TABLES t LEFT JOIN I.COLUMNS c ON t.TABLE_SCHEMA = 'one' AND c.TABLE_SCHEMA = 'two' # * two",
        "SELECT 1 FROM I.TABLES t LEFT JOIN I.COLUMNS c ON t.TABLE_SCHEMA = c.TABLE_SCHEMA WHERE t.TABLE_SCHEMA = 'one' # one one",
        "SELECT 1 FROM I.TABLES t LEFT JOIN I.COLUMNS c ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND c.TABLE_SCHEMA = 'two' # * two",
        "SELECT 1 FROM I.TABLES t LEFT JOIN I.COLUMNS c USING (TABLE_SCHEMA) WHERE t.TABLE_SCHEMA = 'one' # one one",
        "SELECT 1 FROM I.TABLES t LEFT JOIN (I.COLUMNS c JOIN I.VIEWS v ON c.TABLE_SCHEMA = v.TABLE_SCHEMA) ON t.TABLE_SCHEMA = v.TABLE_SCHEMA WHERE t.TABLE_SCHEMA = 'one' # one one one",
        "SELECT 1 FROM I.TABLES t LEFT JOIN I.COLUMNS c JOIN I.VIEWS v ON c.TABLE_SCHEMA = 'two' ON v.TABLE_SCHEMA = 'near' AND t.TABLE_SCHEMA = 'one' # * two near",
        "SELECT 1 FROM I.TABLES a LEFT JOIN (I.VIEWS b JOIN I.SCHEMATA c ON TABLE_SCHEMA = 'two') ON a.TABLE_NAME = b.TABLE_NAME # * two *",
        "SELECT 1 FROM I.TABLES a LEFT JOIN I.VIEWS b JOIN I.SCHEMATA c ON TABLE_SCHEMA = 'two' ON a.TABLE_NAME = b.TABLE_NAME # * two *",
        "SELECT 1 FROM I.TABLES a LEFT JOIN (I.VIEWS b JOIN I.COLUMNS c USING (TABLE_SCHEMA)) ON a.TABLE_NAME = b.TABLE_NAME AND b.TABLE_SCHEMA = 'two' # * two two",
        "SELECT 1 FROM I.TABLES a LEFT JOIN I.COLUMNS c USING (TABLE_SCHEMA) WHERE c.TABLE_SCHEMA = 'two' # * two",
        "SELECT 1 FROM I.TABLES a, I.VIEWS b JOIN I.COLUMNS c USING (TABLE_SCHEMA) WHERE c.TABLE_SCHEMA = 'two' # * two two",
        "SELECT 1 FROM I.TABLES a, I.VIEWS b JOIN I.COLUMNS c ON b.TABLE_SCHEMA = c.TABLE_SCHEMA AND c.TABLE_SCHEMA = 'two' # * two two",
        "SELECT 1 FROM I.TABLES a JOIN I.VIEWS b ON a.TABLE_SCHEMA = b.TABLE_SCHEMA JOIN I.COLUMNS c ON a.TABLE_SCHEMA = c.TABLE_SCHEMA AND c.TABLE_SCHEMA = 'two' # two two two",
        "SELECT 1 FROM I.TABLES t LEFT JOIN I.COLUMNS c ON 1 JOIN I.VIEWS v ON t.TABLE_SCHEMA = 'one' # one * *",
        "SELECT 1 FROM I.TABLES t RIGHT JOIN I.COLUMNS c ON c.TABLE_SCHEMA = 'one' AND t.TABLE_SCHEMA = 'one' # * *",
        "SELECT 1 FROM I.TABLES t RIGHT JOIN I.COLUMNS c ON 1 WHERE c.TABLE_SCHEMA = 'one' # * one",
        "SELECT 1 FROM I.TABLES t NATURAL JOIN I.COLUMNS c WHERE t.TABLE_SCHEMA = 'one' # one *",
        "SELECT 1 FROM I.TABLES t STRAIGHT_JOIN I.COLUMNS c ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND c.TABLE_SCHEMA = 'two' # two two",
        "SELECT 1 FROM I.TABLES t JOIN I.COLUMNS c JOIN I.VIEWS v ON t.TABLE_SCHEMA = v.TABLE_SCHEMA AND v.TABLE_SCHEMA = 'one' # one * one",
        // SELECT by SELECT
        "SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one' UNION SELECT 1 FROM I.COLUMNS # one *",
        "(SELECT 1 FROM I.TABLES WHERE TABLE_SCHEMA = 'one') UNION (SELECT 1 FROM I.COLUMNS WHERE TABLE_SCHEMA = 'two') # one two",
        "SELECT 1 FROM I.TABLES t WHERE t.TABLE_SCHEMA = 'one' AND EXISTS (SELECT 1 FROM I.COLUMNS c WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA) # one one",
        "SELECT 1 FROM I.TABLES t WHERE t.TABLE_SCHEMA = 'one' AND EXISTS (SELECT 1 FROM I.COLUMNS t WHERE t.TABLE_SCHEMA = t.TABLE_SCHEMA) # one *",
        "SELECT 1 FROM I.TABLES t WHERE EXISTS (SELECT 1 FROM I.COLUMNS c WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA AND t.TABLE_SCHEMA = 'one') # * *",
        "SELECT 1 FROM I.TABLES t WHERE EXISTS (SELECT 1 FROM I.COLUMNS WHERE TABLE_SCHEMA = 'one') # * one",
        "SELECT (SELECT 1 FROM I.COLUMNS c WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA) FROM I.TABLES t WHERE t.TABLE_SCHEMA = 'two' # two two",
        "SELECT 1 FROM (SELECT * FROM I.TABLES) t WHERE t.TABLE_SCHEMA = 'one' # *",
        "SELECT 1 FROM (SELECT * FROM I.TABLES WHERE TABLE_SCHEMA = 'two') t, I.COLUMNS c WHERE c.TABLE_SCHEMA = 'one' # two one",
        "WITH x AS (SELECT * FROM I.TABLES WHERE TABLE_SCHEMA = 'two') SELECT * FROM x, I.VIEWS WHERE TABLE_SCHEMA = 'one' # two one",
        "SELECT 1 FROM I.TABLES d WHERE d.TABLE_SCHEMA = 'one' AND (SELECT 1 FROM LATERAL (SELECT 1) AS d, I.COLUMNS c WHERE c.TABLE_SCHEMA = d.TABLE_SCHEMA) # one *",
        "SELECT 1 FROM I.TABLES d WHERE d.TABLE_SCHEMA = 'one' AND (SELECT 1 FROM t PARTITION (p) d, I.COLUMNS c WHERE c.TABLE_SCHEMA = d.TABLE_SCHEMA) # one *",
        "SELECT 1 FROM I.TABLES d WHERE d.TABLE_SCHEMA = 'one' AND (SELECT 1 FROM (SELECT 1) d, I.COLUMNS c WHERE c.TABLE_SCHEMA = d.TABLE_SCHEMA) # one *",
        "SELECT 1 FROM t AS c, I.COLUMNS WHERE c.TABLE_SCHEMA = 'one' # *",
        "SELECT EXTRACT(DAY FROM a) FROM I.COLUMNS WHERE TABLE_SCHEMA = 'one' # one",
        "SELECT 1 FROM I.COLUMNS WHERE TABLE_SCHEMA = 'one' GROUP BY 1 HAVING 1 OR 2 # one",
        // foreign keys stay on their server
        "SELECT 1 FROM I.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_SCHEMA = 'one' # near+one",
        "SELECT 1 FROM I.KEY_COLUMN_USAGE k JOIN I.TABLES t ON k.REFERENCED_TABLE_SCHEMA = t.TABLE_SCHEMA WHERE k.TABLE_SCHEMA = 'two' # two two",
        "SELECT 1 FROM I.KEY_COLUMN_USAGE k JOIN I.TABLES t ON k.REFERENCED_TABLE_SCHEMA = t.TABLE_SCHEMA WHERE t.TABLE_SCHEMA = 'one' # near+one one",
      })
  void severalTables(String sql, String expected) {
    assertThat(wanted(sql)).isEqualTo(expected);
  }

  /** However long a statement is, what it says of its tables is as much as there are tables. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 FROM %1$s WHERE %2$s",
        "SELECT 1 FROM %1$s JOIN I.VIEWS v ON %2$s",
        "SELECT 1 FROM %1$s JOIN I.VIEWS v USING (%3$s)",
        "SELECT 1 FROM %1$s WHERE %4$s"
      })
  void whatIsSaidTwiceIsKeptOnce(String form) {
    String tables =
        IntStream.range(0, TABLES)
            .mapToObj(i -> "information_schema.TABLES t" + i)
            .collect(Collectors.joining(" JOIN "));
    String sql =
        form.replace("I.", "information_schema.")
            .formatted(
                tables,
                repeated("TABLE_SCHEMA = TABLE_SCHEMA", " AND "),
                repeated("TABLE_SCHEMA", ", "),
                repeated("t0.TABLE_SCHEMA = t1.TABLE_SCHEMA", " AND "));
    SqlTokens tokens = SqlTokens.of(sql);
    var query = new CatalogueQuery(tokens);
    var conditions = new SchemaConditions(tokens, query, "one", Set.of("one"));
    query.conditions().forEach(conditions::of);
    assertThat(conditions.equal()).hasSizeLessThanOrEqualTo(4 * TABLES);
  }

  private static String repeated(String part, String between) {
    return String.join(between, Collections.nCopies(REPEATED, part));
  }
}
