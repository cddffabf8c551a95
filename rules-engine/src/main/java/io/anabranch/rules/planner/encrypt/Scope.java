package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where names of columns mean the same: a SELECT, or a statement that changes tables. */
final class Scope {

  /** Null: the statement itself. */
  final @Nullable SelectSpans select;

  final @Nullable Scope parent;
  final List<Source> sources = new ArrayList<>();

  /** Items of RETURNING, of the statement itself. */
  List<Span> returned = List.of();

  /** Joined by NATURAL or USING: {@code *} has some columns once. */
  boolean isMerged;

  Scope(@Nullable SelectSpans select, @Nullable Scope parent) {
    this.select = select;
    this.parent = parent;
  }

  /** What its answer has: items of a select list, or of RETURNING. */
  List<Span> items(SqlTokens tokens) {
    return select == null ? returned : select.items(tokens);
  }

  boolean isEncrypted() {
    return sources.stream().anyMatch(Source::isEncrypted);
  }
}
