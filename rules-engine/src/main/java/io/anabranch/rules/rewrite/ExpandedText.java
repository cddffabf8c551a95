package io.anabranch.rules.rewrite;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A client's statement in which text of views stands in the place of some of its own. Put together
 * from left to right, used once.
 */
public final class ExpandedText {

  private static final int FROM_VIEW = -1;

  private final PlanTask task;
  private final SourceText source;
  private final SqlBuffer sql;
  private final List<Integer> slots = new ArrayList<>();

  public ExpandedText(PlanTask task, SourceText source) {
    this.task = task;
    this.source = source;
    this.sql = new SqlBuffer(source.bytes().length + 256);
  }

  /**
   * The session may read the characters of a definition in another way than they are meant.
   *
   * @throws io.anabranch.rules.error.RefusedException if it might
   */
  public void requireReadable(String view, String query) {
    for (String hiding : task.scope().temporaries().byName().keySet()) {
      if (query.toLowerCase(Locale.ROOT).contains(TableNames.quoted(hiding))) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "the view '" + view + "' beside a temporary table '" + hiding + "'",
            "drop the temporary table");
      }
    }
    boolean escapes = task.scope().noBackslashEscapes() && query.indexOf('\\') >= 0;
    if (escapes || !source.charset().newEncoder().canEncode(query)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the view '" + view + "' in this sql_mode or character set",
          "use utf8mb4 and no NO_BACKSLASH_ESCAPES");
    }
  }

  /** The characters {@code [from, to)} as the client wrote them: whole tokens. */
  public ExpandedText client(int from, int to) {
    SqlTokens tokens = source.tokens();
    int first = tokens.at(from);
    int behind = tokens.from(first).skip(token -> tokens.end(token) <= to);
    tokens.between(first, behind).slots().forEach(token -> slots.add(tokens.slot(token)));
    int start = source.byteOffset(from);
    sql.append(source.bytes(), start, source.byteOffset(to) - start);
    return this;
  }

  /** Whole tokens of a view, or of the proxy's own: literals in it are nothing to the client. */
  public ExpandedText view(String text) {
    byte[] bytes = source.encode(text);
    slots.addAll(Collections.nCopies(task.of(bytes).scan().slotCount(), FROM_VIEW));
    sql.append(bytes);
    return this;
  }

  public StatementPlan plan(KindPlanner statements) {
    PlanTask expanded = task.of(sql.toByteArray());
    if (expanded.scan().slotCount() != slots.size()) {
      // a quote that is never closed takes what is put behind it
      throw TableMention.syntaxError(source, 0);
    }
    StatementPlan plan = statements.plan(expanded);
    return new ExpandedPlan(
        plan, slots.stream().mapToInt(Integer::intValue).toArray(), expanded.written());
  }
}
