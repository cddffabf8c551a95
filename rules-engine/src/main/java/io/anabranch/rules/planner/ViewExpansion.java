package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.TextSlotValues;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.sql.TableRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts the queries of views in the place of their names and plans what comes out. Used once. */
final class ViewExpansion {

  private static final int FROM_VIEW = -1;

  private final Analysis analysis;
  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final SqlBuffer sql;
  private final List<Integer> slots = new ArrayList<>();
  private final LexerMode mode;

  ViewExpansion(Analysis analysis) {
    this.analysis = analysis;
    this.task = analysis.task();
    this.source = analysis.source();
    this.tokens = source.tokens();
    this.sql = new SqlBuffer(source.bytes().length + 256);
    var scope = task.scope();
    this.mode = LexerMode.of(scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes());
  }

  static boolean isNeeded(Analysis analysis) {
    return analysis.tables().stream().anyMatch(PlacedTable.View.class::isInstance);
  }

  StatementPlan plan(KindPlanner queries) {
    Map<Integer, PlacedTable.View> byToken = views();
    int done = 0;
    for (int token = 0; token < tokens.size(); token++) {
      PlacedTable.View view = byToken.get(token);
      if (view == null) {
        if (tokens.slot(token) >= 0) {
          slots.add(tokens.slot(token));
        }
        continue;
      }
      copy(done, tokens.start(token));
      expand(view);
      token = view.ref().nameToken();
      done = tokens.end(token);
    }
    copy(done, source.text().length());
    byte[] bytes = sql.toByteArray();
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, mode, new Scan());
    if (scan.slotCount() != slots.size()) {
      throw new IllegalStateException("literals of a view are not read as they are written");
    }
    StatementPlan plan =
        queries.plan(new PlanTask(scan, task.scope(), task.catalog(), task.rules()));
    return new ExpandedPlan(
        plan,
        slots.stream().mapToInt(Integer::intValue).toArray(),
        new TextSlotValues().over(scan, source.charset(), mode));
  }

  /** By the token where each starts. */
  private Map<Integer, PlacedTable.View> views() {
    var byToken = new HashMap<Integer, PlacedTable.View>();
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.View view) {
        TableRef ref = view.ref();
        if (ref.nameToken() < 0) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "this way of naming the view '" + ref.name() + "'", "name it plainly");
        }
        byToken.put(ref.qualifierToken() >= 0 ? ref.qualifierToken() : ref.nameToken(), view);
      }
    }
    return byToken;
  }

  private void expand(PlacedTable.View view) {
    refuseOtherReading(view);
    TableRef ref = view.ref();
    String alias = ref.aliased() ? "" : " AS " + TableNames.quoted(ref.name());
    byte[] query = source.encode("(" + view.query() + ")" + alias);
    Scan own = new SqlScanner().scan(query, 0, query.length, mode, new Scan());
    slots.addAll(Collections.nCopies(own.slotCount(), FROM_VIEW));
    sql.append(query);
  }

  /** The session may read the characters of the definition in another way than they are meant. */
  private void refuseOtherReading(PlacedTable.View view) {
    for (String hiding : task.scope().temporaries().byName().keySet()) {
      if (view.query().toLowerCase(Locale.ROOT).contains(TableNames.quoted(hiding))) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "the view '" + view.ref().name() + "' beside a temporary table '" + hiding + "'",
            "drop the temporary table");
      }
    }
    boolean escapes = task.scope().noBackslashEscapes() && view.query().indexOf('\\') >= 0;
    if (escapes || !source.charset().newEncoder().canEncode(view.query())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the view '" + view.ref().name() + "' in this sql_mode or character set",
          "use utf8mb4 and no NO_BACKSLASH_ESCAPES");
    }
  }

  private void copy(int from, int to) {
    int start = source.byteOffset(from);
    sql.append(source.bytes(), start, source.byteOffset(to) - start);
  }
}
