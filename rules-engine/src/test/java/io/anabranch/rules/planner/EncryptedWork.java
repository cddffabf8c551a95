package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.function.UnaryOperator;

/**
 * Plans and binds a statement of a database that is passed through, with encrypted columns; tells
 * what came of it. Parameters are all a text.
 */
public final class EncryptedWork implements UnaryOperator<String> {

  private static final byte[] TEXT = {1, 'x'};

  private record Texts() implements PreparedSlotValues.Parameters {
    @Override
    public int type(int parameter) {
      return 253;
    }

    @Override
    public byte[] value(int parameter) {
      return TEXT;
    }
  }

  private final PlannerFixture fixture = new PlannerFixture();
  private final LogicalDatabase database = fixture.encryptedPlain();
  private final StatementPlanner planner = fixture.over(database);

  @Override
  public String apply(String sql) {
    Scan scan = fixture.scan(sql);
    try {
      planner.plan(scan, new PlanScope(database, UTF_8, false, false)).bind(values(scan));
      return "planned";
    } catch (RefusedException refused) {
      return "refused: " + refused.getMessage();
    } finally {
      fixture.catalog.described.clear();
    }
  }

  private static SlotValues values(Scan scan) {
    if (scan.parameterCount() == 0) {
      return new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT);
    }
    var prepared = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    prepared.bind(new Texts());
    return prepared;
  }
}
