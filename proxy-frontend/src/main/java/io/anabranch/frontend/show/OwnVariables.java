package io.anabranch.frontend.show;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.model.TransactionType;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Session variables that no database has: the proxy's own. */
public final class OwnVariables {

  private OwnVariables() {}

  /** Whether the proxy keeps the variable itself. */
  public static boolean has(Assignment.Variable variable) {
    return variable.scope() == Scope.SESSION
        && switch (variable.name()) {
          case "anabranch_transaction_type", "transaction_type", "anabranch_consistent_reads" ->
              true;
          default -> false;
        };
  }

  /** Whether a pattern of names is about them, and not about a database's variables as well. */
  static boolean areMeant(String pattern) {
    return pattern.startsWith("anabranch") || pattern.equals("transaction_type");
  }

  /** Those of a session whose names are like the pattern, with their values. */
  static List<List<String>> shown(Session session, String pattern) {
    Consistency chosen = session.reads().chosen();
    return Stream.of(
            List.of("anabranch_consistent_reads", session.consistentReads() ? "ON" : "OFF"),
            List.of("anabranch_read_consistency", chosen == null ? "DEFAULT" : chosen.name()),
            List.of("anabranch_transaction_type", session.transactionType().name()),
            List.of("transaction_type", session.transactionType().name()))
        .filter(variable -> LikePattern.matches(variable.getFirst(), pattern))
        .toList();
  }

  /**
   * Sets it.
   *
   * @throws io.anabranch.rules.error.RefusedException 1231 for a value it cannot have; 1568 while a
   *     transaction is open
   */
  public static void set(Assignment.Variable variable, Session session) {
    if (session.transaction().isOpen()
        && (!session.transaction().isAutocommit() ? session.transaction().hasOpened() : true)) {
      throw ErrorCatalogue.TRANSACTION_IN_PROGRESS.refuse();
    }
    String value = unquoted(variable.value()).toUpperCase(Locale.ROOT);
    if (variable.name().equals("anabranch_consistent_reads")) {
      session.consistentReads(flag(variable, value));
    } else {
      session.transactionType(type(variable, value, session));
    }
  }

  private static TransactionType type(Assignment.Variable variable, String value, Session session) {
    return switch (value) {
      case "LOCAL" -> TransactionType.LOCAL;
      case "XA" -> TransactionType.XA;
      case "DEFAULT" -> session.deployment().coordinators().defaultType();
      default ->
          throw ErrorCatalogue.WRONG_OWN_VALUE.refuse(
              variable.name(), unquoted(variable.value()), "LOCAL, XA or DEFAULT");
    };
  }

  private static boolean flag(Assignment.Variable variable, String value) {
    return switch (value) {
      case "1", "ON", "TRUE" -> true;
      case "0", "OFF", "FALSE", "DEFAULT" -> false;
      default ->
          throw ErrorCatalogue.WRONG_OWN_VALUE.refuse(
              variable.name(), unquoted(variable.value()), "ON, OFF, 1, 0 or DEFAULT");
    };
  }

  /** The text of a literal; what has no quote at both ends stays as it is. */
  public static String unquoted(String value) {
    boolean isQuoted =
        value.length() >= 2
            && (value.charAt(0) == '\'' || value.charAt(0) == '"')
            && value.charAt(value.length() - 1) == value.charAt(0);
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }
}
