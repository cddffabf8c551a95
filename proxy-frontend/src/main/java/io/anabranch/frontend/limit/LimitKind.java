package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.Locale;

/** What a limit counts or measures. */
public enum LimitKind {
  CONNECTIONS,
  CONNECT_RATE,
  STATEMENTS,
  STATEMENT_RATE,
  TRANSACTION_AGE,
  TRANSACTION_IDLE;

  /** The name in statistics and metrics. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How much the limit allows: a number, a number per second, or milliseconds; 0 for any. */
  long allowed(Limit by) {
    return switch (this) {
      case CONNECTIONS -> by.connections().most();
      case CONNECT_RATE -> by.connections().rate().perSecond();
      case STATEMENTS -> by.statements().most();
      case STATEMENT_RATE -> by.statements().rate().perSecond();
      case TRANSACTION_AGE -> by.transactions().milliseconds();
      case TRANSACTION_IDLE -> by.transactions().idleMilliseconds();
    };
  }
}
