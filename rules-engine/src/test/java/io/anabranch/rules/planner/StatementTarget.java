package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;

/**
 * What a fuzzer gives texts to: whatever a client sends is planned or refused, and only the
 * catalogue says with which error; anything else that is thrown is a finding.
 */
public final class StatementTarget {

  private static final PlannerFixture FIXTURE = new PlannerFixture();
  private static final LogicalDatabase ENCRYPTED = FIXTURE.encrypted();
  private static final StatementPlanner OF_ENCRYPTED = FIXTURE.over(ENCRYPTED);

  private static final LexerMode[] MODES = {
    LexerMode.DEFAULT, LexerMode.of(UTF_8, true, false), LexerMode.of(UTF_8, false, true)
  };

  /** A first byte with which the text is read by default, in a database with encrypted columns. */
  static final byte IN_ENCRYPTED = (byte) MODES.length;

  private StatementTarget() {}

  /**
   * Called by the fuzzer.
   *
   * @param data the first byte chooses how the text is read, and whether columns are encrypted; the
   *     others are the text
   */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    int choice = Byte.toUnsignedInt(data[0]);
    LexerMode mode = MODES[choice % MODES.length];
    boolean isEncrypted = choice / MODES.length % 2 == 1;
    StatementPlanner planner = isEncrypted ? OF_ENCRYPTED : FIXTURE.planner;
    PlanScope scope = isEncrypted ? new PlanScope(ENCRYPTED, UTF_8, false, false) : FIXTURE.scope();
    try {
      Scan scan = new SqlScanner().scan(data, 1, data.length, mode, new Scan());
      SourceText.of(scan, UTF_8, mode).tokens();
      planner.plan(scan, scope).bind(new TextSlotValues().over(scan, UTF_8, mode));
    } catch (SchemaCatalog.DescribeException ofDatabase) {
      // the database's own answer about a text
    } catch (RefusedException refused) {
      if (refused.is(ErrorCatalogue.INTERNAL)) {
        throw new IllegalStateException("refused as if the proxy were wrong", refused);
      }
    }
  }
}
