package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.SQLOver;
import com.alibaba.druid.sql.ast.SQLStatement;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLListExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.ast.statement.SQLSelectQueryBlock;
import com.alibaba.druid.sql.ast.statement.SQLSelectStatement;
import com.alibaba.druid.sql.ast.statement.SQLSubqueryTableSource;
import com.alibaba.druid.sql.ast.statement.SQLTableSource;
import com.alibaba.druid.sql.ast.statement.SQLUnionQueryTableSource;
import com.alibaba.druid.sql.ast.statement.SQLWithSubqueryClause;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlDeleteStatement;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlSelectQueryBlock;
import com.alibaba.druid.sql.dialect.mysql.ast.statement.MySqlUpdateStatement;
import com.alibaba.druid.sql.dialect.mysql.visitor.MySqlASTVisitorAdapter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Walks one of Druid's trees and collects {@link StatementFacts}. Used once. */
final class FactReader extends MySqlASTVisitorAdapter {

  private final MarkedText text;
  private final ConditionReader conditions;
  private final List<QueryBlock> blocks = new ArrayList<>();
  private final List<Integer> columnQualifiers = new ArrayList<>();
  private final List<Integer> tableQualifiers = new ArrayList<>();

  /** The blocks around, the innermost first; {@link QueryBlock#NO_PARENT} hides those behind it. */
  private final Deque<Integer> around = new ArrayDeque<>();

  private boolean windows;

  FactReader(MarkedText text, boolean orIsDoubtful) {
    this.text = text;
    this.conditions = new ConditionReader(text, orIsDoubtful);
  }

  Optional<StatementFacts> read(SQLStatement statement) {
    return switch (statement) {
      case SQLSelectStatement select -> {
        walk(statement);
        yield Optional.of(
            facts(new SelectReader(text, conditions).read(select.getSelect()), Map.of(), 0, false));
      }
      case MySqlUpdateStatement update -> {
        addBlock(update.getTableSource(), update.getWhere());
        around.push(0);
        walk(statement);
        yield Optional.of(
            facts(
                null,
                assignments(update),
                blocks.getFirst().tables().size(),
                update.getOrderBy() != null || update.getLimit() != null));
      }
      case MySqlDeleteStatement delete -> {
        SQLTableSource joined = delete.getUsing() != null ? delete.getUsing() : delete.getFrom();
        addBlock(joined != null ? joined : delete.getTableSource(), delete.getWhere());
        around.push(0);
        walk(statement);
        yield Optional.of(
            facts(
                null,
                Map.of(),
                joined != null ? Math.max(2, blocks.getFirst().tables().size()) : 1,
                delete.getOrderBy() != null || delete.getLimit() != null));
      }
      default -> Optional.empty();
    };
  }

  private void walk(SQLStatement statement) {
    statement.accept(this);
  }

  private StatementFacts facts(
      @Nullable SelectFacts select, Map<ColumnName, Operand> set, int writes, boolean limited) {
    return new StatementFacts(
        blocks, columnQualifiers, tableQualifiers, select, set, windows, writes, limited);
  }

  private Map<ColumnName, Operand> assignments(MySqlUpdateStatement update) {
    var set = new HashMap<ColumnName, Operand>();
    for (var item : update.getItems()) {
      if (item.getColumn() instanceof SQLListExpr list) {
        list.getItems().forEach(column -> assign(set, column, Operand.Opaque.OPAQUE));
      } else {
        assign(set, item.getColumn(), conditions.operand(item.getValue()));
      }
    }
    return set;
  }

  private void assign(Map<ColumnName, Operand> set, SQLExpr target, Operand value) {
    ColumnName column = conditions.column(target);
    if (column != null && set.put(column, value) != null) {
      set.put(column, Operand.Opaque.OPAQUE);
    }
  }

  private void addBlock(@Nullable SQLTableSource from, @Nullable SQLExpr where) {
    int number = blocks.size();
    var reader = new FromReader(text, conditions, number);
    reader.read(from);
    if (where != null) {
      var all = new BitSet();
      all.set(0, reader.tables.size());
      reader.restrictions.add(new QueryBlock.Restriction(conditions.read(where), all));
    }
    int parent = around.isEmpty() ? QueryBlock.NO_PARENT : around.element();
    blocks.add(
        new QueryBlock(
            number,
            parent,
            reader.tables,
            reader.isDerived(),
            reader.merged,
            reader.mergesAll,
            reader.restrictions,
            reader.outerJoins));
  }

  /** The query of a common table sees nothing of those around. */
  @Override
  public boolean visit(SQLWithSubqueryClause with) {
    around.push(QueryBlock.NO_PARENT);
    for (var entry : with.getEntries()) {
      if (entry.getSubQuery() != null) {
        entry.getSubQuery().accept(this);
      }
    }
    around.pop();
    return false;
  }

  @Override
  public boolean visit(MySqlSelectQueryBlock block) {
    return enter(block);
  }

  @Override
  public void endVisit(MySqlSelectQueryBlock block) {
    around.pop();
  }

  @Override
  public boolean visit(SQLSelectQueryBlock block) {
    return enter(block);
  }

  @Override
  public void endVisit(SQLSelectQueryBlock block) {
    around.pop();
  }

  private boolean enter(SQLSelectQueryBlock block) {
    int number = blocks.size();
    addBlock(block.getFrom(), block.getWhere());
    around.push(number);
    return true;
  }

  /** What stands in a FROM does not see its neighbours. */
  @Override
  public boolean visit(SQLSubqueryTableSource source) {
    around.push(QueryBlock.NO_PARENT);
    return true;
  }

  @Override
  public void endVisit(SQLSubqueryTableSource source) {
    around.pop();
  }

  @Override
  public boolean visit(SQLUnionQueryTableSource source) {
    around.push(QueryBlock.NO_PARENT);
    return true;
  }

  @Override
  public void endVisit(SQLUnionQueryTableSource source) {
    around.pop();
  }

  @Override
  public boolean visit(SQLExprTableSource source) {
    return !(source.getExpr() instanceof SQLIdentifierExpr
        || source.getExpr() instanceof SQLPropertyExpr);
  }

  @Override
  public boolean visit(SQLOver over) {
    windows = true;
    return true;
  }

  @Override
  public boolean visit(SQLPropertyExpr property) {
    if (property.getOwner() instanceof SQLPropertyExpr owner) {
      addToken(tableQualifiers, owner.getName());
      if (owner.getOwner() instanceof SQLIdentifierExpr database) {
        addToken(columnQualifiers, database.getName());
      }
    } else if (property.getOwner() instanceof SQLIdentifierExpr owner) {
      addToken(tableQualifiers, owner.getName());
    }
    return false;
  }

  private void addToken(List<Integer> tokens, String name) {
    int token = text.token(name);
    if (token != MarkedText.NO_TOKEN) {
      tokens.add(token);
    }
  }
}
