package io.anabranch.frontend.local;

import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.backend.transaction.TransactionOptions.Isolation;
import io.anabranch.frontend.show.OwnVariables;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Locale;

/** What SET TRANSACTION, or an assignment to {@code @@transaction_…}, says of the next one. */
final class NextTransaction {

  private NextTransaction() {}

  static TransactionOptions options(SetStatement.Transaction wanted) {
    String isolation = wanted.isolation();
    return new TransactionOptions(
        isolation == null ? null : Isolation.valueOf(isolation.replace('-', '_')),
        TransactionCommand.access(wanted.readOnly()),
        false);
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException 1231 for a value it cannot have
   */
  static TransactionOptions options(Assignment.Variable variable) {
    String value = OwnVariables.unquoted(variable.value());
    String name = value.toUpperCase(Locale.ROOT).replace('-', '_');
    return variable.name().endsWith("_isolation")
        ? new TransactionOptions(isolation(variable, name), null, false)
        : new TransactionOptions(null, TransactionCommand.access(readOnly(variable, name)), false);
  }

  private static Isolation isolation(Assignment.Variable variable, String value) {
    for (Isolation each : Isolation.values()) {
      if (each.name().equals(value)) {
        return each;
      }
    }
    throw ErrorCatalogue.WRONG_VALUE.refuse(
        variable.name(), OwnVariables.unquoted(variable.value()));
  }

  private static boolean readOnly(Assignment.Variable variable, String value) {
    return switch (value) {
      case "1", "ON", "TRUE" -> true;
      case "0", "OFF", "FALSE" -> false;
      default ->
          throw ErrorCatalogue.WRONG_VALUE.refuse(
              variable.name(), OwnVariables.unquoted(variable.value()));
    };
  }
}
