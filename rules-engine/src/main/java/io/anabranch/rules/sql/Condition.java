package io.anabranch.rules.sql;

import java.util.List;
import java.util.function.Consumer;

/** What a WHERE or ON demands, as far as routing can use it. */
public sealed interface Condition {

  /** Gives those equalities of columns that hold for each row which meets the condition. */
  default void equalities(Consumer<Equal> each) {
    switch (this) {
      case And and -> and.parts().forEach(part -> part.equalities(each));
      case Equal equal -> each.accept(equal);
      case Or _, Fixed _, Truth _, Compare _, In _, Between _, Opaque _ -> {}
    }
  }

  /** Demands nothing that routing knows of. */
  enum Opaque implements Condition {
    OPAQUE
  }

  record And(List<Condition> parts) implements Condition {
    public And {
      parts = List.copyOf(parts);
    }
  }

  record Or(List<Condition> parts) implements Condition {
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /** {@code column operator value}. */
  record Compare(ColumnName column, Operator operator, Operand value) implements Condition {}

  record In(ColumnName column, List<Operand> values) implements Condition {
    public In {
      values = List.copyOf(values);
    }
  }

  record Between(ColumnName column, Operand lower, Operand upper) implements Condition {}

  /** A constant alone: true unless it is 0 or NULL. */
  record Truth(Operand value) implements Condition {}

  /** {@code left operator right}, both constant: {@code 1 = 0}. */
  record Fixed(Operand left, Operator operator, Operand right) implements Condition {}

  /** {@code left = right}, both columns. */
  record Equal(ColumnName left, ColumnName right) implements Condition {}

  /** Operators of {@link Compare}, the column on the left. */
  enum Operator {
    EQUAL,
    NULL_SAFE_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    /** The operator with its sides exchanged. */
    Operator flipped() {
      return switch (this) {
        case EQUAL -> EQUAL;
        case NULL_SAFE_EQUAL -> NULL_SAFE_EQUAL;
        case LESS -> GREATER;
        case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
        case GREATER -> LESS;
        case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
      };
    }
  }
}
