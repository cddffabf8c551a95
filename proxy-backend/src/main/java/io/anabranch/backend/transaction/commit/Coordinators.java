package io.anabranch.backend.transaction.commit;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.TransactionType;
import org.jspecify.annotations.Nullable;

/**
 * Who ends transactions, by their type.
 *
 * @param xa null where the configuration offers no distributed transactions
 * @param defaultType of sessions that say nothing else
 * @param barrier between the commits of both and consistent snapshots
 */
public record Coordinators(
    Coordinator local,
    @Nullable Coordinator xa,
    TransactionType defaultType,
    CommitBarrier barrier) {

  /** Without distributed transactions. */
  public static Coordinators withoutXa() {
    var barrier = new CommitBarrier();
    return new Coordinators(new LocalCoordinator(barrier), null, TransactionType.LOCAL, barrier);
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException where there are no distributed transactions
   */
  public Coordinator of(TransactionType type) {
    if (type == TransactionType.LOCAL) {
      return local;
    }
    if (xa == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the transaction type XA without a log",
          "set transaction.defaultType: XA or transaction.props.log-data-source in global.yaml");
    }
    return xa;
  }

  public Coordinator byDefault() {
    return of(defaultType);
  }
}
