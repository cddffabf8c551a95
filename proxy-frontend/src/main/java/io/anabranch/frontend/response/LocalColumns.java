package io.anabranch.frontend.response;

import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;

/** Columns of the proxy's own results. */
public final class LocalColumns {

  private static final int NUMBER_LENGTH = 20;
  private static final int NO_DECIMALS = 0;
  private static final int STRING_DECIMALS = 0x1F;

  private LocalColumns() {}

  /**
   * @param characters at most
   */
  public static ResultColumn text(String name, int characters) {
    return new ResultColumn(
        "",
        "",
        "",
        name,
        "",
        Collation.UTF8MB4_GENERAL_CI,
        characters * 4L,
        ColumnType.VAR_STRING.code(),
        0,
        STRING_DECIMALS);
  }

  public static ResultColumn number(String name) {
    return new ResultColumn(
        "",
        "",
        "",
        name,
        "",
        Collation.BINARY,
        NUMBER_LENGTH,
        ColumnType.LONGLONG.code(),
        ColumnFlag.NOT_NULL | ColumnFlag.BINARY | ColumnFlag.NUM,
        NO_DECIMALS);
  }

  /** A parameter of a prepared statement, of which servers say no more than that it is there. */
  public static ResultColumn parameter() {
    return new ResultColumn(
        "",
        "",
        "",
        "?",
        "",
        Collation.BINARY,
        0,
        ColumnType.VAR_STRING.code(),
        ColumnFlag.BINARY,
        NO_DECIMALS);
  }
}
