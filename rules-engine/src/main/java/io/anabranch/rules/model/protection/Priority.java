package io.anabranch.rules.model.protection;

/** Who is sent away first where there is not enough for all; from the first to the last. */
public enum Priority {
  LOW,
  NORMAL,
  HIGH
}
