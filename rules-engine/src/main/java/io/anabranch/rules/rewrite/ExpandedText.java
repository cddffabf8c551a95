package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client's statement with text of views, or of the proxy's own, in the place of some of its
 * tokens, to be planned in its place. Used once.
 */
public final class ExpandedText {

  private final PlanTask task;
  private final SourceText source;
  private final SourceEdits edits;

  /** What has been put in, by its piece: pieces of text are told apart by their array of bytes. */
  private final Map<Piece, String> own = new HashMap<>();

  public ExpandedText(PlanTask task, SourceText source) {
    this.task = task;
    this.source = source;
    this.edits = new SourceEdits(source);
  }

  /**
   * Puts text in the place of the tokens {@code [first, behind)}.
   *
   * @param text whole tokens: literals in it are nothing to the client
   */
  public void replace(int first, int behind, String text) {
    edits.replace(edits.start(first), edits.end(behind - 1), List.of(own(text)));
  }

  /**
   * Puts a derived table in the place of a table's name.
   *
   * @param text as that of {@link #replace}
   * @see SourceEdits#derive
   */
  public void derive(int first, int behind, boolean aliased, String text) {
    edits.derive(first, behind, aliased, List.of(own(text)));
  }

  /**
   * Puts text in front of a token, or behind the last one: a comment may follow.
   *
   * @param text as that of {@link #replace}
   */
  public void insert(int token, String text) {
    boolean isLast = token == source.tokens().size();
    edits.insert(isLast ? edits.end(token - 1) : edits.start(token), List.of(own(text)));
  }

  private Piece own(String text) {
    Piece piece = edits.text(text);
    own.put(piece, text);
    return piece;
  }

  public StatementPlan plan(KindPlanner statements) {
    var whole = Substatement.Builder.whole(task, source);
    for (Piece piece : edits.copy(0, source.bytes().length)) {
      String text = own.get(piece);
      if (text == null) {
        whole.pieces(List.of(piece));
      } else {
        whole.literals(text);
      }
    }
    Substatement expanded = whole.build();
    return new ExpandedPlan(statements.plan(expanded.task()), expanded.slots());
  }
}
