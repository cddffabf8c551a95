package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.ast.statement.SQLJoinTableSource;
import com.alibaba.druid.sql.ast.statement.SQLTableSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables and join conditions of one query block. */
final class FromReader {

  private final MarkedText text;
  private final ConditionReader conditions;
  private final int block;

  final List<TableRef> tables = new ArrayList<>();
  final List<QueryBlock.Restriction> restrictions = new ArrayList<>();
  final List<QueryBlock.OuterJoin> outerJoins = new ArrayList<>();

  /** Lower-case names that USING gives a column of a derived table and another one. */
  final Set<String> merged = new HashSet<>();

  /** Whether NATURAL makes one column of a derived table's and another one of that name. */
  boolean mergesAll;

  /** Positions of the tables that ON of a join would know whose left side has just been read. */
  private BitSet operands = new BitSet();

  /** How many derived tables, common ones and the like have been read. */
  private int nameless;

  FromReader(MarkedText text, ConditionReader conditions, int block) {
    this.text = text;
    this.conditions = conditions;
    this.block = block;
  }

  boolean isDerived() {
    return nameless > 0;
  }

  /** Positions of the tables below {@code source}. */
  BitSet read(@Nullable SQLTableSource source) {
    return switch (source) {
      case null -> new BitSet();
      case SQLJoinTableSource join -> join(join);
      case SQLExprTableSource table -> {
        operands = table(table);
        yield operands;
      }
      default -> {
        nameless++;
        operands = new BitSet();
        yield operands;
      }
    };
  }

  private BitSet join(SQLJoinTableSource join) {
    int namelessBefore = nameless;
    BitSet left = read(join.getLeft());
    boolean isList = join.getJoinType() == SQLJoinTableSource.JoinType.COMMA;
    BitSet known = (BitSet) (isList ? new BitSet() : operands).clone();
    BitSet right = read(join.getRight());
    known.or(right);
    operands = known;
    BitSet both = (BitSet) left.clone();
    both.or(right);
    BitSet restricted = both;
    switch (join.getJoinType()) {
      case LEFT_OUTER_JOIN, NATURAL_LEFT_JOIN -> {
        outerJoins.add(new QueryBlock.OuterJoin(left, right));
        restricted = right;
      }
      case RIGHT_OUTER_JOIN, NATURAL_RIGHT_JOIN -> {
        outerJoins.add(new QueryBlock.OuterJoin(right, left));
        restricted = left;
      }
      case JOIN, INNER_JOIN, CROSS_JOIN, COMMA, STRAIGHT_JOIN, NATURAL_JOIN, NATURAL_INNER_JOIN ->
          restricted = both;
      default -> {
        outerJoins.add(new QueryBlock.OuterJoin(both, both));
        restricted = new BitSet();
      }
    }
    if (join.getCondition() != null) {
      restrictions.add(
          new QueryBlock.Restriction(conditions.on(join.getCondition(), known), restricted));
    }
    boolean areTables = nameless == namelessBefore;
    if (!areTables) {
      mergesAll |= isNatural(join);
      join.getUsing().forEach(this::merge);
    }
    if (areTables && left.cardinality() == 1 && right.cardinality() == 1) {
      for (var shared : join.getUsing()) {
        using(shared, left.nextSetBit(0), right.nextSetBit(0), restricted);
      }
    }
    return both;
  }

  private static boolean isNatural(SQLJoinTableSource join) {
    return switch (join.getJoinType()) {
      case NATURAL_JOIN, NATURAL_INNER_JOIN, NATURAL_LEFT_JOIN, NATURAL_RIGHT_JOIN -> true;
      default -> false;
    };
  }

  private void merge(SQLExpr shared) {
    ColumnName column = conditions.column(shared);
    if (column == null) {
      mergesAll = true;
    } else {
      merged.add(column.column().toLowerCase(Locale.ROOT));
    }
  }

  /** The column of both tables. */
  private void using(SQLExpr shared, int left, int right, BitSet restricted) {
    ColumnName column = conditions.column(shared);
    if (column != null) {
      restrictions.add(
          new QueryBlock.Restriction(
              new Condition.Equal(
                  new ColumnName(tables.get(left).alias(), column.column()),
                  new ColumnName(tables.get(right).alias(), column.column())),
              restricted));
    }
  }

  private BitSet table(SQLExprTableSource source) {
    TableRef ref =
        switch (source.getExpr()) {
          case SQLIdentifierExpr name -> ref(source, null, name.getName());
          case SQLPropertyExpr name when name.getOwner() instanceof SQLIdentifierExpr owner ->
              ref(source, owner.getName(), name.getName());
          default -> null;
        };
    var position = new BitSet();
    boolean isCommon =
        source.getExpr() instanceof SQLIdentifierExpr name
            && text.commonTable(name.getName()) != MarkedText.NO_TOKEN;
    if (ref == null || isCommon) {
      nameless++;
      return position;
    }
    if (isDual(ref)) {
      return position;
    }
    position.set(tables.size());
    tables.add(ref);
    return position;
  }

  private static boolean isDual(TableRef ref) {
    return ref.qualifier() == null
        && ref.nameToken() == MarkedText.NO_TOKEN
        && "DUAL".equalsIgnoreCase(ref.name());
  }

  private TableRef ref(SQLExprTableSource source, @Nullable String owner, String name) {
    String alias = source.getAlias();
    String plain = text.name(name);
    return new TableRef(
        block,
        text.token(name),
        owner == null ? MarkedText.NO_TOKEN : text.token(owner),
        owner == null ? null : text.name(owner),
        plain,
        alias == null ? plain : text.name(alias),
        alias != null,
        source.getPartitionSize() > 0);
  }
}
