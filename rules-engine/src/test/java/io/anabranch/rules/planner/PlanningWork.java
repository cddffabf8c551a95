package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import java.util.function.UnaryOperator;

/**
 * Plans a statement, binds its values and renders what goes to the databases; tells what came of
 * it. Parameters are all 7.
 */
public final class PlanningWork implements UnaryOperator<String> {

  private static final byte[] SEVEN = {7, 0, 0, 0, 0, 0, 0, 0};

  private record Sevens() implements PreparedSlotValues.Parameters {
    @Override
    public int type(int parameter) {
      return 8;
    }

    @Override
    public byte[] value(int parameter) {
      return SEVEN;
    }
  }

  private final PlannerFixture fixture = new PlannerFixture();

  @Override
  public String apply(String sql) {
    try {
      Scan scan = fixture.scan(sql);
      BoundPlan bound =
          fixture.planner.plan(scan, fixture.scope(), values(scan), new Wish()).bound();
      String what =
          switch (bound) {
            case BoundPlan.AsIs ignored -> "as it is";
            case BoundPlan.Single ignored -> "single";
            case BoundPlan.Merged merged -> merged.root().getClass().getSimpleName();
          };
      fixture.catalog.described.clear();
      return what;
    } catch (RefusedException refused) {
      return "refused: " + refused.getMessage();
    } catch (SchemaCatalog.DescribeException failed) {
      return "error: " + failed.getMessage();
    }
  }

  private static SlotValues values(Scan scan) {
    if (scan.parameterCount() == 0) {
      return new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT);
    }
    var prepared = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    prepared.bind(new Sevens());
    return prepared;
  }
}
