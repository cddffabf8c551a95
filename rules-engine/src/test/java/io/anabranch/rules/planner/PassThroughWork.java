package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.need.NeededRights;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.function.UnaryOperator;

/**
 * Plans a statement of a database that is passed through, and asks which rights it needs; tells
 * what came of it.
 */
public final class PassThroughWork implements UnaryOperator<String> {

  private final PlannerFixture fixture = new PlannerFixture();

  @Override
  public String apply(String sql) {
    Scan scan = fixture.scan(sql);
    return planned(scan) + ", " + needed(scan);
  }

  private String planned(Scan scan) {
    try {
      fixture
          .planner
          .plan(scan, new PlanScope(fixture.plain, UTF_8, false, false))
          .bind(new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT));
      return "planned";
    } catch (RefusedException refused) {
      return "refused: " + refused.getMessage();
    }
  }

  private static String needed(Scan scan) {
    try {
      SourceText source = SourceText.of(scan, UTF_8, LexerMode.DEFAULT);
      return NeededRights.of(scan.kind(), source.tokens()).size() + " needs";
    } catch (RefusedException refused) {
      return "refused: " + refused.getMessage();
    }
  }
}
