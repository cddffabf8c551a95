package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names and texts come into SQL through one place each: a quote that is put around a variable's
 * value elsewhere is one that the value may end. Found are quotes and backslashes that are doubled,
 * and pieces of SQL that end in front of a quoted value, outside of who owns that.
 */
class QuotesTest {

  /** Of names and values in SQL, of a session's mode, of the proxy's own files and listings. */
  private static final Pattern OWNER =
      Pattern.compile(
          ".*\\b(TableNames|SqlLiterals|Grant|StringLiterals|YamlText|StatementText|MycatFunction|TextTable)\\.java");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

  /** {@code replace("'", "''")} and its like. */
  private static final Pattern DOUBLED =
      Pattern.compile("replace\\(\\s*\"(['`]|\\\\\\\\)\",\\s*\"\\1\\1\"\\s*\\)");

  /** As pieces of SQL begin, and sentences about SQL do not. */
  private static final String BEGINNING =
      "\"\\s*(?:SELECT|INSERT|UPDATE|DELETE|WHERE|AND|OR|WHEN|IN|UNION|VALUES|SET|USE|SHOW|CAST"
          + "|CONVERT|SAVEPOINT|ROLLBACK|RELEASE|KILL)\\b(?:[^\"\\\\\\n]|\\\\.)*";

  /** {@code " WHERE name = '" + …} and its like: a piece of SQL that leaves a quote open. */
  private static final Pattern OPEN =
      Pattern.compile(
          "\"(?:USE|SELECT|SAVEPOINT) ['`]\"\\s*\\+|"
              + BEGINNING
              + "(?:[=>(,.@xX]|WHEN|SAVEPOINT|FROM) ?['`]\"\\s*(?:\\+|\\)\\s*\\.append)");

  /** {@code "… WHERE name = '%s'"}. */
  private static final Pattern HOLE = Pattern.compile(BEGINNING + "['`]%s['`]");

  @Test
  void areSetByTheirOwners() {
    assertThat(products().filter(each -> !isOwner(each)).flatMap(QuotesTest::found))
        .as("write a name by TableNames, a value by SqlLiterals or StringLiterals")
        .isEmpty();
  }

  @Test
  void areFound() {
    assertThat(products().filter(QuotesTest::isOwner).flatMap(QuotesTest::found))
        .hasSizeGreaterThan(4);
    for (String open :
        List.of(
            "sql(\" WHERE name = '\" + name + \"'\")",
            "sql.append(\" OR IN ('\").append(name)",
            "\"INSERT INTO t VALUES ('%s')\".formatted(name)",
            "\"USE `\" + name + \"`\"",
            "name.replace(\"\\\\\", \"\\\\\\\\\")")) {
      assertThat(in(open)).as(open).hasSize(1);
    }
  }

  private static Stream<Path> products() {
    Path main = Path.of("src", "main");
    return SourceFiles.all().stream().filter(source -> source.subpath(1, 3).equals(main));
  }

  private static boolean isOwner(Path source) {
    return OWNER.matcher(source.toString()).matches();
  }

  private static Stream<String> found(Path source) {
    return in(SourceFiles.text(source)).map(each -> source.getFileName() + ": " + each);
  }

  private static Stream<String> in(String text) {
    String code = COMMENT.matcher(text).replaceAll("");
    return Stream.of(DOUBLED, OPEN, HOLE)
        .flatMap(pattern -> pattern.matcher(code).results())
        .map(MatchResult::group);
  }
}
