package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Texts that are no statements are planned or refused, too: those in which a fuzzer found
 * something, and all statements of the golden plans cut, without one word, and with one twice.
 */
@Tag("long")
class BrokenStatementsTest {

  /** Each place of the code that threw, with the first text that led to it. */
  private final Map<String, String> found = new TreeMap<>();

  @AfterEach
  void nothingIsFound() {
    assertThat(String.join("\n", found.entrySet().stream().map(Object::toString).toList()))
        .isEmpty();
  }

  @Test
  void thoseThatWereFound() throws IOException {
    List<String> texts = Files.readAllLines(Path.of("src/test/resources/fuzz/statements.base64"));
    assertThat(texts).isNotEmpty();
    for (String each : texts) {
      tryOut(Base64.getDecoder().decode(each));
    }
  }

  @Test
  void thoseThatAreCut() throws IOException {
    int count = 0;
    for (String sql : golden()) {
      SqlTokens tokens = tokens(sql);
      for (int token = 0; token < tokens.size(); token++) {
        String before = sql.substring(0, tokens.start(token));
        String without = sql.substring(tokens.end(token));
        String twice = sql.substring(tokens.start(token));
        tryOut(before);
        tryOut(before + without);
        tryOut(sql.substring(0, tokens.end(token)) + ' ' + twice);
        count += 3;
      }
    }
    assertThat(count).isGreaterThan(5_000);
  }

  /** Numbers that are too large, or none, wherever there is one. */
  @Test
  void thoseWithOtherNumbers() throws IOException {
    var others =
        List.of("99999999999999999999", "3000000000", "1e99", "0x7", "-1", "'x'", "x", "?");
    int count = 0;
    var statements = new ArrayList<>(golden());
    statements.add(
        "CREATE TABLE t_new (id INT, name VARCHAR(20), KEY (name(5)), UNIQUE (id, name(6)))");
    statements.add(
        "CREATE TABLE t_log (id INT, name VARCHAR(20) CHARACTER SET utf8mb4, at DATETIME(6),"
            + " d DECIMAL(35, 0), e ENUM('a', 'b') DEFAULT 'a', n INT DEFAULT 7, KEY (name))");
    statements.add("ALTER TABLE t_log MODIFY name VARCHAR(30), ADD at TIME(3) DEFAULT '1:00'");
    statements.add("ALTER TABLE t_order MODIFY order_id DECIMAL(10, 2)");
    statements.add("ALTER TABLE t_dict MODIFY code VARCHAR(20)");
    statements.add(
        "LOAD DATA LOCAL INFILE 'f' INTO TABLE t_order IGNORE 1 LINES (order_id, user_id)");
    for (String sql : statements) {
      SqlTokens tokens = tokens(sql);
      for (int token = 0; token < tokens.size(); token++) {
        if (tokens.kind(token) == TokenKind.NUMBER) {
          for (String other : others) {
            tryOut(
                sql.substring(0, tokens.start(token)) + other + sql.substring(tokens.end(token)));
            count++;
          }
        }
      }
    }
    assertThat(count).isGreaterThan(4_000);
  }

  private static List<String> golden() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/plans"))) {
      var all = files.sorted().toList();
      var statements = new ArrayList<String>();
      for (Path file : all) {
        Files.readAllLines(file, UTF_8).stream()
            .filter(line -> line.startsWith("> "))
            .map(line -> line.substring(2))
            .forEach(statements::add);
      }
      return statements;
    }
  }

  private static SqlTokens tokens(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    return SourceText.of(scan, UTF_8, LexerMode.DEFAULT).tokens();
  }

  private void tryOut(String sql) {
    byte[] data = ("\0" + sql).getBytes(UTF_8);
    tryOut(data);
    data[0] = StatementTarget.IN_ENCRYPTED;
    tryOut(data);
  }

  private void tryOut(byte[] data) {
    try {
      StatementTarget.fuzzerTestOneInput(data);
    } catch (RuntimeException thrown) {
      found.putIfAbsent(place(thrown), new String(data, 1, data.length - 1, ISO_8859_1));
    }
  }

  private static String place(RuntimeException thrown) {
    return Stream.of(thrown.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("io.anabranch"))
        .limit(3)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining(" < ", thrown + " at ", ""));
  }
}
