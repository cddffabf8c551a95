package io.anabranch.rules.sql;

import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.statement.SQLExprTableSource;
import com.alibaba.druid.sql.dialect.mysql.visitor.MySqlASTVisitorAdapter;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds who reads the common tables of a statement. Used once. */
final class CommonTableReader extends MySqlASTVisitorAdapter {

  private final MarkedText text;
  private final Set<CommonTableMention> found = new LinkedHashSet<>();

  CommonTableReader(MarkedText text) {
    this.text = text;
  }

  /** In the order of the text. */
  List<CommonTableMention> found() {
    return found.stream().sorted(Comparator.comparingInt(CommonTableMention::token)).toList();
  }

  @Override
  public boolean visit(SQLExprTableSource source) {
    if (source.getExpr() instanceof SQLIdentifierExpr name) {
      int definition = text.commonTable(name.getName());
      if (definition != MarkedText.NO_TOKEN) {
        found.add(
            new CommonTableMention(
                text.token(name.getName()), definition, source.getAlias() != null));
      }
    }
    return true;
  }
}
