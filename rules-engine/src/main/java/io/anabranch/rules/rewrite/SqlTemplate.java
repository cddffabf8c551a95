package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.sql.TableNames;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * A statement's text for tables that are told by their names: {@code INSERT INTO t VALUES (1)} with
 * a hole for {@code t}. Immutable; {@link #aimedAt} makes the form that is rendered on event loops.
 */
public final class SqlTemplate {

  private final SourceText source;
  private final List<Piece> pieces;

  /**
   * @param pieces without lists of keys
   */
  SqlTemplate(SourceText source, List<Piece> pieces) {
    this.source = source;
    this.pieces = List.copyOf(pieces);
  }

  /** Whether its text is another one for other tables. */
  public boolean mentionsTables() {
    return pieces.stream().anyMatch(Piece.Table.class::isInstance);
  }

  /**
   * The text with fixed table names.
   *
   * @param tables actual name for each table reference
   */
  public AimedText aimedAt(String dataSource, List<String> tables) {
    var runs = new byte[pieces.size() + 1][];
    var slots = new int[pieces.size()];
    var parameters = new int[pieces.size()];
    int literals = 0;
    int marks = 0;
    var run = new ByteArrayOutputStream();
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Text text -> run.writeBytes(text.bytes());
        case Piece.Table table -> {
          String name = TableNames.quotedIfNeeded(tables.get(table.table()));
          run.writeBytes(name.getBytes(source.charset()));
        }
        case Piece.Slot slot -> {
          int parameter = source.tokens().parameterOf(slot.slot());
          if (parameter >= 0) {
            run.write('?');
            parameters[marks++] = parameter;
          } else {
            runs[literals] = run.toByteArray();
            run.reset();
            slots[literals++] = slot.slot();
          }
        }
        case Piece.Keys _ -> throw new IllegalStateException("a list for each node");
      }
    }
    runs[literals] = run.toByteArray();
    return new AimedText(
        dataSource,
        Arrays.copyOf(runs, literals + 1),
        Arrays.copyOf(slots, literals),
        Arrays.copyOf(parameters, marks));
  }
}
