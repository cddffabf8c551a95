package io.anabranch.rules.value;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;

/** A typed SQL value as routing sees it. Immutable. */
public sealed interface SqlValue {

  /** Fits a signed 64-bit integer. */
  record Int(long value) implements SqlValue {}

  /** An integer beyond 64 bits, or an exact number with a fraction. */
  record Decimal(BigDecimal value) implements SqlValue {}

  record Floating(double value) implements SqlValue {}

  record Text(String value) implements SqlValue {}

  /**
   * {@code x'..'}, {@code b'..'}, BLOB parameters.
   *
   * @param mayBeNumber whether each server takes it for a number where it wants one: {@code 0x05}
   *     and {@code b'101'}, but not {@code x'05'}
   */
  record Bytes(byte[] value, boolean mayBeNumber) implements SqlValue {
    public Bytes(byte[] value) {
      this(value, false);
    }
  }

  /** DATE parameters of the binary protocol and {@code DATE '..'} literals. */
  record Date(LocalDate value) implements SqlValue {}

  /** DATETIME and TIMESTAMP likewise. */
  record DateTime(LocalDateTime value) implements SqlValue {}

  enum Null implements SqlValue {
    NULL
  }

  /**
   * Not known: a parameter before it is bound, an expression that only the database can compute.
   */
  enum Unknown implements SqlValue {
    UNKNOWN
  }
}
