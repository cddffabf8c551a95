package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SHOW COLUMNS, DESCRIBE, SHOW INDEX and SHOW CREATE TABLE of a table with encrypted columns: what
 * is stored for them is not seen.
 *
 * @param plan of the statement as it is
 * @param sql the statement
 * @param logical names of stored columns in lower case to those that clients know
 * @param hidden names of stored columns in lower case that are left out
 */
record ShownTable(
    StatementPlan plan,
    byte[] sql,
    PlanNode.Unveiled.Form form,
    Map<String, String> logical,
    Set<String> hidden,
    List<ResultColumn> columns)
    implements WrappedPlan {

  ShownTable {
    logical = Map.copyOf(logical);
    hidden = Set.copyOf(hidden);
    columns = List.copyOf(columns);
  }

  /** Null: the statement is none of these. */
  static @Nullable StatementPlan of(
      PlanTask task, StoredText text, EncryptedNames names, KindPlanner statements) {
    SqlTokens tokens = text.tokens();
    PlanNode.Unveiled.Form form;
    int at;
    if (task.scan().kind() == StatementKind.DESCRIBE) {
      form = PlanNode.Unveiled.Form.COLUMNS;
      at = 1;
    } else {
      int subject = tokens.isWord(1, "FULL") ? 2 : 1;
      boolean isFrom = tokens.isWord(subject + 1, "FROM") || tokens.isWord(subject + 1, "IN");
      boolean isColumns = tokens.isWord(subject, "COLUMNS") || tokens.isWord(subject, "FIELDS");
      boolean isIndex =
          tokens.isWord(1, "INDEX") || tokens.isWord(1, "INDEXES") || tokens.isWord(1, "KEYS");
      if (tokens.isWord(1, "CREATE") && tokens.isAnyWord(2, "TABLE", "VIEW")) {
        form = PlanNode.Unveiled.Form.DEFINITION;
        at = 3;
      } else if (isFrom && (isColumns || isIndex)) {
        form = isColumns ? PlanNode.Unveiled.Form.COLUMNS : PlanNode.Unveiled.Form.INDEX;
        at = subject + 2;
      } else {
        return null;
      }
    }
    if (!tokens.isName(at)) {
      return null;
    }
    TableMention mention = TableMention.at(text.source(), at);
    EncryptedTable table = names.table(mention.name());
    int end = mention.behind();
    if (tokens.isWord(end, "FROM") || tokens.isWord(end, "IN")) {
      end += 2;
    }
    end += tokens.isPunctuation(end, ';') ? 1 : 0;
    if (table == null || end < tokens.size()) {
      return null;
    }
    var logical = new HashMap<String, String>();
    var hidden = new HashSet<String>();
    for (EncryptedColumn column : table.columns()) {
      for (EncryptedColumn.Stored stored : column.stored()) {
        String name = stored.name().toLowerCase(Locale.ROOT);
        logical.put(name, column.name());
        if (!stored.equals(column.cipher())) {
          hidden.add(name);
        }
      }
    }
    EncryptedViews.View view = names.view(mention.name());
    if (view != null && form == PlanNode.Unveiled.Form.DEFINITION) {
      if (!view.isTellable()) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "the query of a view that has values of encrypted columns in it",
            table.name(),
            "use SHOW COLUMNS");
      }
      form = PlanNode.Unveiled.Form.QUERY;
      logical.putAll(view.logical());
    }
    StatementPlan plan = statements.plan(task);
    byte[] sql = text.source().bytes();
    ShardQuery asked = query(plan.bind(task.written()), sql);
    List<ResultColumn> columns = asked == null ? List.of() : task.catalog().describe(asked);
    return new ShownTable(plan, sql, form, logical, hidden, columns);
  }

  private static @Nullable ShardQuery query(BoundPlan bound, byte[] sql) {
    return switch (bound) {
      case BoundPlan.AsIs asIs -> ShardQuery.text(asIs.dataSource(), sql);
      case BoundPlan.Single single -> single.query();
      case BoundPlan.Merged _ -> null;
    };
  }

  @Override
  public boolean isLasting() {
    return false;
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    BoundPlan bound = plan.bind(values);
    ShardQuery query = query(bound, sql);
    PlanNode rows =
        bound instanceof BoundPlan.Merged merged
            ? merged.root()
            : new PlanNode.Route(query == null ? List.of() : List.of(query), columns, true);
    return new BoundPlan.Merged(new PlanNode.Unveiled(rows, form, logical, hidden));
  }
}
