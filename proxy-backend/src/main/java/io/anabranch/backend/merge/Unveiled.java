package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.syntax.SelectLayout.Span;
import io.anabranch.rules.syntax.SelectSpans;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server tells of a table, with the columns that clients know. */
final class Unveiled implements RowStream {

  private static final String INDENT = "  ";

  private final RowStream input;
  private final PlanNode.Unveiled node;
  private final RowReader row;
  private final RowEncoder encoder;

  Unveiled(RowStream input, PlanNode.Unveiled node, RowFormat format) {
    this.input = input;
    this.node = node;
    row = format.reader(input.columns());
    encoder = new RowEncoder(input.columns(), format);
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    for (byte[] payload = input.next(); payload != null; payload = input.next()) {
      row.read(payload);
      if (!isHidden()) {
        return written();
      }
    }
    return null;
  }

  private boolean isHidden() {
    return node.form() == PlanNode.Unveiled.Form.COLUMNS
        && node.hidden().contains(text(0).toLowerCase(Locale.ROOT));
  }

  private byte[] written() {
    encoder.begin();
    for (int i = 0; i < input.columns().size(); i++) {
      String logical = row.isNull(i) ? null : logical(i);
      if (logical == null) {
        encoder.copy(row, i);
      } else {
        encoder.addText(logical);
      }
    }
    return encoder.finish();
  }

  /** Null: the cell stays as it is. */
  private @Nullable String logical(int column) {
    return switch (node.form()) {
      case COLUMNS -> column == 0 ? name(column) : null;
      case INDEX -> input.columns().get(column).name().equals("Column_name") ? name(column) : null;
      case DEFINITION -> column == 1 ? definition(text(column)) : null;
      case QUERY -> column == 1 ? query(text(column)) : null;
    };
  }

  private @Nullable String name(int column) {
    return node.logical().get(text(column).toLowerCase(Locale.ROOT));
  }

  /** Each column and each key is a line of its own. */
  private String definition(String text) {
    List<String> lines = text.lines().toList();
    var clauses = new ArrayList<String>();
    var behind = new StringBuilder();
    boolean isInside = true;
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      isInside &= line.startsWith(INDENT);
      if (!isInside) {
        behind.append('\n').append(line);
        continue;
      }
      String clause = line.endsWith(",") ? line.substring(0, line.length() - 1) : line;
      boolean isHidden =
          node.hidden().stream()
              .anyMatch(name -> clause.toLowerCase(Locale.ROOT).startsWith(INDENT + quoted(name)));
      if (!isHidden) {
        clauses.add(renamed(clause));
      }
    }
    return lines.isEmpty() ? text : lines.getFirst() + "\n" + String.join(",\n", clauses) + behind;
  }

  private String renamed(String clause) {
    String written = clause;
    for (Map.Entry<String, String> each : node.logical().entrySet()) {
      String stored = quoted(each.getKey());
      int at = written.toLowerCase(Locale.ROOT).indexOf(stored);
      if (at >= 0) {
        written =
            written.substring(0, at)
                + quoted(each.getValue())
                + written.substring(at + stored.length());
      }
    }
    return written;
  }

  /** Servers tell each item with its alias, and all names quoted. */
  private String query(String text) {
    SqlTokens tokens = SqlTokens.of(text);
    var told = new StringBuilder();
    int done = 0;
    for (SelectSpans select : SelectSpans.of(tokens)) {
      for (Span item : select.items(tokens)) {
        String alias = tokens.name(item.behind() - 1).toLowerCase(Locale.ROOT);
        if (node.hidden().contains(alias)) {
          // it stands behind the one that it belongs to
          int comma = item.first() - 1;
          told.append(renamed(text, tokens, done, comma));
          done = item.behind();
        }
      }
    }
    return told.append(renamed(text, tokens, done, tokens.size())).toString();
  }

  /** The text of tokens and of what is in front of them, with the names that clients know. */
  private String renamed(String text, SqlTokens tokens, int from, int to) {
    var written = new StringBuilder();
    int done = from == 0 ? 0 : tokens.end(from - 1);
    for (int token = from; token < to; token++) {
      String logical =
          tokens.isPunctuation(token - 1, '.') && tokens.isName(token)
              ? node.logical().get(tokens.name(token).toLowerCase(Locale.ROOT))
              : null;
      if (logical != null) {
        written.append(text, done, tokens.start(token)).append(quoted(logical));
        done = tokens.end(token);
      }
    }
    return written.append(text, done, Math.max(done, tokens.end(to - 1))).toString();
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private String text(int column) {
    return new String(
        row.payload(), row.offset(column), row.length(column), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    input.close();
  }
}
