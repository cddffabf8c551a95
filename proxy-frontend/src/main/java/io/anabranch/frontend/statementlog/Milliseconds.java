package io.anabranch.frontend.statementlog;

/** Times as logs and tables show them: milliseconds with three decimals. */
public final class Milliseconds {

  private static final long NANOS_PER_MICROSECOND = 1000;
  private static final int PER_MILLISECOND = 1000;

  private Milliseconds() {}

  /** {@code 1530.120}. */
  public static String of(long nanos) {
    return append(new StringBuilder(12), nanos).toString();
  }

  /** The same behind a text: a hundredth of what a formatter takes. */
  static StringBuilder append(StringBuilder out, long nanos) {
    long micros = (Math.max(0, nanos) + NANOS_PER_MICROSECOND / 2) / NANOS_PER_MICROSECOND;
    int decimals = (int) (micros % PER_MILLISECOND);
    out.append(micros / PER_MILLISECOND).append('.');
    return out.append((char) ('0' + decimals / 100))
        .append((char) ('0' + decimals / 10 % 10))
        .append((char) ('0' + decimals % 10));
  }
}
