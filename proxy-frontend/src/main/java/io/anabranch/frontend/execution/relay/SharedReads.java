package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.syntax.PlainReads;
import org.jspecify.annotations.Nullable;

/** Which statements may share a connection, as far as they themselves tell (ADR 92). */
public final class SharedReads {

  /** Longer texts cost more than the wake-up that is saved. */
  private static final int LONGEST_TEXT = 8 * 1024;

  private SharedReads() {}

  /**
   * For those who ask beforehand.
   *
   * @param sql what the data source gets
   */
  public static boolean mayBe(Session session, Scan scan, StatementPlan plan, byte[] sql) {
    return depth(session) != 0
        && plan.isLasting()
        && mayBe(scan, plan.access(), sql)
        && arePlain(session, sql);
  }

  /** {@link ProxyProperties#pipelineDepth} as it is in force; 0: none may. */
  static int depth(Session session) {
    ProxyProperties properties = session.deployment().rules().properties();
    return properties.relayEnabled() ? properties.pipelineDepth() : 0;
  }

  /**
   * What the data source gets, if its answer is one result and the command one packet.
   *
   * @return null: it is another kind of command, or a long one
   */
  static byte @Nullable [] text(@Nullable RelayCommand what) {
    return switch (what) {
      case RelayCommand.Query(byte[] sql, ResponseForm form)
          when form == ResponseForm.TEXT_RESULT ->
          sql;
      case RelayCommand.Execute execute
          when execute.form() == ResponseForm.BINARY_RESULT
              && execute.readUnder() == null
              && isShort(execute.parameters(), execute.query().parameters()) ->
          execute.query().sql();
      case null, default -> null;
    };
  }

  private static boolean isShort(ExecuteParameters parameters, int[] wanted) {
    return !parameters.hasLongValues() && parameters.areShorter(wanted, LONGEST_TEXT);
  }

  /** What can be told of each statement without reading it. */
  static boolean mayBe(Scan scan, Access access, byte[] sql) {
    return scan.kind() == StatementKind.SELECT
        && access == Access.READ
        && scan.mentionsFrom()
        && scan.offsetSlot() < 0
        && !scan.limitsOtherwise()
        && !scan.mayLock()
        && !scan.hasUserVariable()
        && !scan.mentionsSequence()
        && !scan.mentionsOwnSchema()
        && !scan.hasExecutableComment()
        && sql.length <= LONGEST_TEXT
        && !hasComment(sql);
  }

  /** Hints are in comments, and in no normal form. */
  private static boolean hasComment(byte[] sql) {
    for (int i = 1; i < sql.length; i++) {
      if (sql[i] == '*' && sql[i - 1] == '/') {
        return true;
      }
    }
    return false;
  }

  /** What can be told of all that have one plan. */
  static boolean arePlain(Session session, byte[] sql) {
    return PlainReads.are(
        SourceText.of(new String(sql, session.charset()), session.lexerMode()).tokens());
  }
}
