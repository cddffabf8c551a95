package io.anabranch.rules.model;

/** How a transaction over several data sources is committed. */
public enum TransactionType {
  /** One data source after the other. */
  LOCAL,
  /** All or nothing. */
  XA
}
