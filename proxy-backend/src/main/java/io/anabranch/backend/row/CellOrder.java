package io.anabranch.backend.row;

import java.util.Arrays;

/** Compares two values of one column in place; neither is NULL. */
@FunctionalInterface
interface CellOrder {

  int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength);

  /**
   * @param padWeight what the shorter of two byte strings is padded with; empty for none
   */
  static CellOrder of(CellKind kind, RowFormat format, byte[] padWeight) {
    return switch (kind) {
      case SIGNED -> format == RowFormat.TEXT ? Numbers::comparePlain : CellOrder::signed;
      case UNSIGNED -> format == RowFormat.TEXT ? Numbers::comparePlain : CellOrder::unsigned;
      case DECIMAL -> Numbers::comparePlain;
      case FLOAT -> format == RowFormat.TEXT ? CellOrder::floatingText : CellOrder::floats;
      case DOUBLE -> format == RowFormat.TEXT ? CellOrder::floatingText : CellOrder::doubles;
      case DATE_TIME -> format == RowFormat.TEXT ? CellOrder::bytes : CellOrder::dateTimes;
      case TIME -> format == RowFormat.TEXT ? CellOrder::timeTexts : CellOrder::times;
      case BYTES -> padWeight.length == 0 ? CellOrder::bytes : padded(padWeight.clone());
    };
  }

  private static int signed(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return Long.compare(Numbers.signed(a, aFrom, aLength), Numbers.signed(b, bFrom, bLength));
  }

  private static int unsigned(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return Long.compareUnsigned(
        Numbers.unsigned(a, aFrom, aLength), Numbers.unsigned(b, bFrom, bLength));
  }

  private static int floats(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return compare(
        Float.intBitsToFloat((int) Numbers.unsigned(a, aFrom, aLength)),
        Float.intBitsToFloat((int) Numbers.unsigned(b, bFrom, bLength)));
  }

  private static int doubles(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return compare(
        Double.longBitsToDouble(Numbers.unsigned(a, aFrom, aLength)),
        Double.longBitsToDouble(Numbers.unsigned(b, bFrom, bLength)));
  }

  private static int floatingText(
      byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return compare(
        Double.parseDouble(Numbers.text(a, aFrom, aLength)),
        Double.parseDouble(Numbers.text(b, bFrom, bLength)));
  }

  /** Unlike {@link Double#compare}: zeros are equal whatever their sign. There is no NaN in SQL. */
  private static int compare(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  private static int dateTimes(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return Long.compare(
        Temporals.dateTime(a, aFrom, aLength), Temporals.dateTime(b, bFrom, bLength));
  }

  private static int times(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return Long.compare(Temporals.time(a, aFrom, aLength), Temporals.time(b, bFrom, bLength));
  }

  private static int timeTexts(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return Long.compare(
        Temporals.timeText(a, aFrom, aLength), Temporals.timeText(b, bFrom, bLength));
  }

  private static int bytes(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    return Arrays.compareUnsigned(a, aFrom, aFrom + aLength, b, bFrom, bFrom + bLength);
  }

  /** Byte strings of which the shorter goes on with the weight of blanks. */
  private static CellOrder padded(byte[] pad) {
    return (a, aFrom, aLength, b, bFrom, bLength) -> {
      int both = Math.min(aLength, bLength);
      int order = Arrays.compareUnsigned(a, aFrom, aFrom + both, b, bFrom, bFrom + both);
      if (order != 0 || aLength == bLength) {
        return order;
      }
      return aLength > bLength
          ? compareToPad(a, aFrom + both, aFrom + aLength, pad)
          : -compareToPad(b, bFrom + both, bFrom + bLength, pad);
    };
  }

  private static int compareToPad(byte[] rest, int from, int to, byte[] pad) {
    for (int i = from; i < to; i++) {
      int order = Byte.compareUnsigned(rest[i], pad[(i - from) % pad.length]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
