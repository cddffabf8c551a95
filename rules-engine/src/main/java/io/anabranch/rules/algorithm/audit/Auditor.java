package io.anabranch.rules.algorithm.audit;

import java.util.Optional;

/**
 * May refuse statements of the tables whose {@code auditStrategy} names it. Thread-safe; must not
 * block, for it is asked on event loops.
 *
 * <p>It is asked while a statement is planned, and the plan is kept: what it says of a statement it
 * says of all that differ from it in their values alone, whoever runs them.
 */
@FunctionalInterface
public interface Auditor {

  /**
   * @return why the statement is refused, for the client; empty: it may run, as far as this auditor
   *     is concerned
   */
  Optional<String> objection(AuditedStatement statement);
}
