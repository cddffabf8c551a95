package io.anabranch.rules.config;

/** What algorithms are for; each kind has types of its own. */
public enum AlgorithmKind {
  SHARDING,
  KEY_GENERATE,
  AUDIT,
  LOAD_BALANCE,
  ENCRYPT,
  MASK,
  SHADOW
}
