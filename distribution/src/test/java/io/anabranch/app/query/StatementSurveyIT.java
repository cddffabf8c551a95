package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Statements as applications, ORMs and reports write them ({@code survey/statements.txt}) are
 * answered over shards as by one plain database, or refused as the file says.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
class StatementSurveyIT {

  private static final String SCHEMA = "it_survey";

  private static final String PREPARES = "useServerPrepStmts=true";

  private static final Path STATEMENTS = Path.of("src/test/resources/survey/statements.txt");

  private static final Pattern LINE = Pattern.compile("(?:(AB\\d{4}): )?(.*?)(?: ## \\[(.*)])?");

  private static final Pattern OF_ONE_SERVER = Pattern.compile("(mariadb|mysql)> (.*)");

  /** What the order of adding decides, which no server promises. */
  private static final Pattern LAST_DIGITS = Pattern.compile("(Double -?\\d\\.\\d{13})\\d+");

  private static final Pattern VALUE =
      Pattern.compile(
          "\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(null)|(-?\\d+)|(-?\\d+\\.\\d+))\\s*(?:,|$)");

  private static final Pattern ORDERED =
      Pattern.compile("ORDER BY[^)]*$", Pattern.CASE_INSENSITIVE);

  private static final Pattern QUERY =
      Pattern.compile("(?:SELECT|WITH|VALUES|SHOW|DESC|\\().*", Pattern.CASE_INSENSITIVE);

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture = ShardedFixture.start(servers, SCHEMA);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void areAnsweredAsByOneDatabase() throws SQLException, IOException {
    var softly = new SoftAssertions();
    int compared = 0;
    try (Connection proxied = fixture.throughProxy(PREPARES);
        Connection plain = fixture.onPlain(PREPARES)) {
      for (String line : Files.readAllLines(STATEMENTS)) {
        String here = ofThisServer(line);
        if (here.isEmpty() || here.startsWith("#")) {
          continue;
        }
        Matcher parts = LINE.matcher(here);
        assertThat(parts.matches()).isTrue();
        String sql = parts.group(2);
        Object[] values = parts.group(3) == null ? new Object[0] : values(parts.group(3));
        String refusal = parts.group(1);
        Transcript seen = Transcript.of(proxied, sql, values);
        if (refusal != null) {
          softly.assertThat(seen.head()).as(line).contains(refusal);
          continue;
        }
        String there = ofPlain(sql);
        softly
            .assertThat(shape(seen, sql))
            .as(line)
            .isEqualTo(shape(Transcript.of(plain, there, values), sql));
        if (values.length == 0 && QUERY.matcher(sql).matches()) {
          softly
              .assertThat(shape(Transcript.prepared(proxied, sql), sql))
              .as("prepared " + line)
              .isEqualTo(shape(Transcript.prepared(plain, there), sql));
        }
        compared++;
      }
    }
    softly.assertAll();
    assertThat(compared).isGreaterThan(400);
  }

  /** Empty: a statement for the other server. */
  private static String ofThisServer(String line) {
    Matcher marked = OF_ONE_SERVER.matcher(line);
    if (!marked.matches()) {
      return line;
    }
    boolean isHere = marked.group(1).equals(DatabaseServers.areMySql() ? "mysql" : "mariadb");
    return isHere ? marked.group(2) : "";
  }

  /** SHOW TABLES calls its column after the database. */
  private static String ofPlain(String sql) {
    return sql.replace("Tables_in_" + SCHEMA, "Tables_in_" + SCHEMA + "_plain");
  }

  private static @Nullable Object[] values(String list) {
    var values = new ArrayList<@Nullable Object>();
    Matcher value = VALUE.matcher(list);
    while (value.lookingAt()) {
      if (value.group(1) != null) {
        values.add(value.group(1));
      } else if (value.group(2) != null) {
        values.add(null);
      } else if (value.group(3) != null) {
        values.add(Long.valueOf(value.group(3)));
      } else {
        values.add(Double.valueOf(value.group(4)));
      }
      value.region(value.end(), list.length());
    }
    return values.toArray();
  }

  /** Names and types of columns, and rows; counts and warnings; the number of an error. */
  private static List<String> shape(Transcript answer, String sql) {
    var shape = new ArrayList<String>();
    String head = (answer.isError() ? answer.withoutMessage() : answer).withSortedWarnings().head();
    for (String column : head.split("\n", -1)) {
      String[] parts = column.split("\\|", -1);
      shape.add(
          parts.length > 4
              ? (parts[0] + " " + type(parts[3]) + " " + parts[4])
                  .replace(SCHEMA + "_plain", SCHEMA)
              : column.replace(SCHEMA + "_plain", SCHEMA));
    }
    boolean isOrdered = ORDERED.matcher(sql.toUpperCase(Locale.ROOT)).find();
    Stream<String> rows =
        answer.rows().stream()
            .map(row -> row.replace(SCHEMA + "_plain", SCHEMA))
            .map(row -> LAST_DIGITS.matcher(row).replaceAll("$1"));
    (isOrdered ? rows : rows.sorted()).forEach(shape::add);
    return shape;
  }

  /** Of how many bytes a text of the catalogue may be is told differently: the proxy makes it. */
  private static String type(String told) {
    return told.equals("MEDIUMTEXT") ? "LONGTEXT" : told;
  }
}
