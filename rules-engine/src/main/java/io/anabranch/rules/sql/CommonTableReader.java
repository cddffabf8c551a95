package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.ast.statement.SQLWithSubqueryClause;
import com.alibaba.druid.sql.dialect.mysql.visitor.MySqlASTVisitorAdapter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the common tables of a statement and who reads them. Used once. */
final class CommonTableReader extends MySqlASTVisitorAdapter {

  private final MarkedText text;
  private final List<Definition> definitions = new ArrayList<>();

  /** By name as it is written, per SELECT with its WITH, the innermost first. */
  private final Deque<Map<String, Definition>> scopes = new ArrayDeque<>();

  CommonTableReader(MarkedText text) {
    this.text = text;
    scopes.push(new HashMap<>());
  }

  /** In the order of the text. */
  List<CommonTable> found() {
    return definitions.stream().map(Definition::table).toList();
  }

  @Override
  public boolean visit(SQLSelect select) {
    scopes.push(new HashMap<>());
    return true;
  }

  @Override
  public void endVisit(SQLSelect select) {
    scopes.pop();
  }

  /** A common table is known to those behind it, to the SELECT, and to itself if RECURSIVE. */
  @Override
  public boolean visit(SQLWithSubqueryClause with) {
    boolean recursive = Boolean.TRUE.equals(with.getRecursive());
    for (var entry : with.getEntries()) {
      String name = text.name(entry.getAlias());
      var definition = new Definition(name, recursive);
      definitions.add(definition);
      var own = new HashMap<String, Definition>();
      if (recursive) {
        // what its own query says of it is no mention
        own.put(name, new Definition(name, true));
      }
      scopes.push(own);
      if (entry.getSubQuery() != null) {
        entry.getSubQuery().accept(this);
      }
      scopes.pop();
      scopes.element().put(name, definition);
    }
    return false;
  }

  @Override
  public boolean visit(SQLExprTableSource source) {
    if (source.getExpr() instanceof SQLIdentifierExpr name) {
      String known = text.name(name.getName());
      for (Map<String, Definition> scope : scopes) {
        Definition definition = scope.get(known);
        if (definition != null) {
          int token = text.token(name.getName());
          definition.mentions.add(new CommonTable.Mention(token, source.getAlias() != null));
          break;
        }
      }
    }
    return true;
  }

  private record Definition(String name, boolean recursive, Set<CommonTable.Mention> mentions) {

    Definition(String name, boolean recursive) {
      this(name, recursive, new LinkedHashSet<>());
    }

    CommonTable table() {
      return new CommonTable(name, recursive, List.copyOf(mentions));
    }
  }
}
