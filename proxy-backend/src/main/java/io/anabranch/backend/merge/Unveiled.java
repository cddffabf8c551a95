package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server tells of a table, with the columns that clients know. */
final class Unveiled implements RowStream {

  private static final String INDENT = "  ";

  /** What DESCRIBE says of a column's keys, the strongest last. */
  private static final List<String> STRENGTHS = List.of("", "MUL", "UNI", "PRI");

  private final RowStream input;
  private final PlanNode.Unveiled node;
  private final RowReader row;
  private final RowEncoder encoder;

  /** Of COLUMNS: where keys are told; negative: nowhere. */
  private final int keyColumn;

  /** Of COLUMNS: what is told of them, by the names that clients know. */
  private final Map<String, String> keys = new HashMap<>();

  /** Of COLUMNS: those that are left to tell; null: nobody has asked yet. */
  private @Nullable Iterator<byte[]> told;

  Unveiled(RowStream input, PlanNode.Unveiled node, RowFormat format) {
    this.input = input;
    this.node = node;
    row = format.reader(input.columns());
    encoder = new RowEncoder(input.columns(), format);
    keyColumn = input.columns().stream().map(ResultColumn::name).toList().indexOf("Key");
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    if (node.form() == PlanNode.Unveiled.Form.COLUMNS && told == null) {
      told = told().iterator();
    }
    Iterator<byte[]> columns = told;
    byte[] payload = columns == null ? input.next() : columns.hasNext() ? columns.next() : null;
    if (payload == null) {
      return null;
    }
    row.read(payload);
    return written();
  }

  /** The columns that clients know; what keys they have say all that are stored for them. */
  private List<byte[]> told() {
    var shown = new ArrayList<byte[]>();
    for (byte[] payload = input.next(); payload != null; payload = input.next()) {
      row.read(payload);
      String stored = text(0).toLowerCase(Locale.ROOT);
      if (!node.hidden().contains(stored)) {
        shown.add(payload);
      }
      String logical = node.logical().get(stored);
      if (logical != null && keyColumn >= 0 && !row.isNull(keyColumn)) {
        keys.merge(logical, text(keyColumn), Unveiled::stronger);
      }
    }
    return shown;
  }

  private static String stronger(String key, String other) {
    return STRENGTHS.indexOf(key) >= STRENGTHS.indexOf(other) ? key : other;
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
      case COLUMNS -> column == 0 ? name(0) : column == keyColumn ? key() : null;
      case INDEX -> input.columns().get(column).name().equals("Column_name") ? name(column) : null;
      case DEFINITION -> column == 1 ? definition(text(column)) : null;
      case QUERY -> column == 1 ? query(text(column)) : null;
    };
  }

  private @Nullable String key() {
    String logical = name(0);
    return logical == null ? null : keys.get(logical);
  }

  private @Nullable String name(int column) {
    return node.logical().get(text(column).toLowerCase(Locale.ROOT));
  }

  /** Each column and each key is a line of its own. */
  private String definition(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty()) {
      return text;
    }
    // quoted as the session's sql_mode and sql_quote_show_create say
    LexerMode mode = LexerMode.of(StandardCharsets.UTF_8, lines.getFirst().contains("\""), false);
    var clauses = new ArrayList<String>();
    var behind = new StringBuilder();
    boolean isInside = true;
    for (String line : lines.subList(1, lines.size())) {
      isInside &= line.startsWith(INDENT);
      if (!isInside) {
        behind.append('\n').append(line);
        continue;
      }
      String clause = line.endsWith(",") ? line.substring(0, line.length() - 1) : line;
      SqlTokens tokens = SourceText.of(clause, mode).tokens();
      boolean isKey = DdlSyntax.isKey(tokens, 0);
      if (isKey || !node.hidden().contains(tokens.name(0).toLowerCase(Locale.ROOT))) {
        clauses.add(renamed(clause, tokens, isKey));
      }
    }
    return lines.getFirst() + "\n" + String.join(",\n", clauses) + behind;
  }

  /** A column's own name, and all within parentheses: a key's own name says nothing. */
  private String renamed(String clause, SqlTokens tokens, boolean isKey) {
    var written = new TextEdits(clause, tokens);
    for (int token : tokens.all().names(at -> at == 0 ? !isKey : tokens.depth(at) > 0)) {
      String logical = node.logical().get(tokens.lowerName(token));
      if (logical != null) {
        written.replace(token, quoted(logical, tokens, token));
      }
    }
    return written.text();
  }

  /** As the token that it replaces is quoted. */
  private static String quoted(String name, SqlTokens tokens, int token) {
    char first = tokens.text(token).charAt(0);
    return switch (first) {
      case '`' -> TableNames.quoted(name);
      case '"' -> "\"" + name.replace("\"", "\"\"") + "\"";
      default ->
          name.chars().allMatch(Character::isJavaIdentifierPart) ? name : TableNames.quoted(name);
    };
  }

  /** Servers tell each item with its alias, and all names quoted. */
  private String query(String text) {
    SqlTokens tokens = SqlTokens.of(text);
    var told = new TextEdits(text, tokens);
    var left = new BitSet();
    for (SelectSpans select : SelectSpans.of(tokens)) {
      for (Span item : select.items(tokens)) {
        if (node.hidden().contains(tokens.lowerName(item.behind() - 1))
            && !left.get(item.first())) {
          // with the comma in front: it stands behind the one that it belongs to
          told.remove(item.first() - 1, item.behind());
          left.set(item.first(), item.behind());
        }
      }
    }
    for (int token : tokens.all().names(at -> tokens.isPunctuation(at - 1, '.'))) {
      String logical = node.logical().get(tokens.lowerName(token));
      if (logical != null && !left.get(token)) {
        told.replace(token, TableNames.quoted(logical));
      }
    }
    return told.text();
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
