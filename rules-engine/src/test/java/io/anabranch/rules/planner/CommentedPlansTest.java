package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A plan is kept for all statements that differ in their comments alone: nothing of the first one's
 * is in it. With all statements of the golden plans, a comment wherever it makes no other plan.
 */
class CommentedPlansTest {

  private static final String COMMENT = "/* a trace of 'somebody' */";

  @ParameterizedTest
  @ValueSource(
      strings = {"single", "scatter", "aggregate", "insert", "change", "stage", "view", "write"})
  void knowNothingOfComments(String name) throws IOException {
    List<String> statements =
        Files.readAllLines(Path.of("src/test/resources/plans", name + ".txt"), UTF_8).stream()
            .filter(line -> line.startsWith("> "))
            .map(line -> line.substring(2))
            .filter(sql -> !sql.contains("--") && scan(sql).kind().sharesPlans())
            .toList();
    int commented = 0;
    for (String sql : statements) {
      String other = commented(sql);
      commented += other.equals(sql) ? 0 : 1;
      assertThat(planned(other)).as(other).isEqualTo(planned(sql)).doesNotContain("somebody");
    }
    assertThat(commented).isEqualTo(statements.size());
  }

  private static String commented(String sql) {
    Scan plain = scan(sql);
    SqlTokens tokens = SourceText.of(sql, LexerMode.DEFAULT).tokens();
    String commented = sql + COMMENT;
    for (int token = tokens.size() - 1; token >= 0; token--) {
      int start = tokens.start(token);
      String more = commented.substring(0, start) + COMMENT + commented.substring(start);
      Scan with = scan(more);
      if (with.spacing() == plain.spacing()
          && Arrays.equals(with.copyNormalForm(), plain.copyNormalForm())) {
        commented = more;
      }
    }
    return commented;
  }

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  /** Of its own fixture: keys are generated alike. */
  private static String planned(String sql) {
    try {
      return new PlannerFixture().printed(sql).replaceAll("\\s+", " ");
    } catch (RefusedException refused) {
      return refused.errno() + " " + refused.getMessage();
    } catch (SchemaCatalog.DescribeException failed) {
      return failed.errno() + " " + failed.getMessage();
    }
  }
}
