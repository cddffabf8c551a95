package io.anabranch.rules.syntax;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.value.FileCharacters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a LOAD DATA LOCAL INFILE; texts are token numbers of their literals, -1 where they
 * are absent.
 *
 * @param columns names; null for fields that go into a user variable; empty without a list
 * @param variables names of these with their {@code @}, in lower case, by field; empty for columns
 * @param charset of the file; null: the database's
 * @param assignments of SET
 */
public record LoadSyntax(
    int file,
    boolean replaces,
    TableMention table,
    @Nullable FileCharacters charset,
    int fieldEnd,
    int enclosing,
    int escape,
    int lineStart,
    int lineEnd,
    int skippedLines,
    List<@Nullable String> columns,
    List<String> variables,
    boolean listed,
    List<ChangeSyntax.Assignment> assignments) {

  public static LoadSyntax read(SourceText source) {
    return new Reader(source).read();
  }

  /** For each variable the last field that goes into it, which is what it holds then. */
  public Map<String, Integer> fieldsOfVariables() {
    var fields = new HashMap<String, Integer>();
    for (int field = 0; field < variables.size(); field++) {
      fields.put(variables.get(field), field);
    }
    return fields;
  }

  private static final class Reader {

    private final SourceText source;
    private final SqlTokens tokens;
    private int at = 2;
    private int fieldEnd = -1;
    private int enclosing = -1;
    private int escape = -1;
    private int lineStart = -1;
    private int lineEnd = -1;

    Reader(SourceText source) {
      this.source = source;
      this.tokens = source.tokens();
    }

    LoadSyntax read() {
      while (took("LOW_PRIORITY") || took("CONCURRENT") || took("LOCAL")) {
        // no matter
      }
      need("INFILE");
      int file = literal();
      boolean replaces = took("REPLACE");
      if (!replaces) {
        took("IGNORE");
      }
      need("INTO");
      need("TABLE");
      TableMention table = TableMention.at(source, at);
      at = table.behind();
      if (tokens.isWord(at, "PARTITION")) {
        throw refused("PARTITION");
      }
      FileCharacters charset = charset();
      if (took("FIELDS") || took("COLUMNS")) {
        fields();
      }
      if (took("LINES")) {
        lines();
      }
      int skipped = skipped();
      var columns = new ArrayList<@Nullable String>();
      boolean listed = tokens.isPunctuation(at, '(');
      var variables = new ArrayList<String>();
      if (listed) {
        columns(columns, variables);
      }
      List<ChangeSyntax.Assignment> assignments = List.of();
      if (took("SET")) {
        assignments = ChangeSyntax.assignments(source, at, tokens.size());
        at = tokens.size();
      }
      if (at < tokens.size()) {
        throw TableMention.syntaxError(source, at);
      }
      return new LoadSyntax(
          file,
          replaces,
          table,
          charset,
          fieldEnd,
          enclosing,
          escape,
          lineStart,
          lineEnd,
          skipped,
          columns,
          variables,
          listed,
          assignments);
    }

    private static RuntimeException refused(String clause) {
      return ErrorCatalogue.NOT_SUPPORTED.refuse(
          clause + " in LOAD DATA into a sharded database", "compute the columns afterwards");
    }

    private boolean took(String word) {
      boolean is = tokens.isWord(at, word);
      at += is ? 1 : 0;
      return is;
    }

    private void need(String word) {
      if (!took(word)) {
        throw TableMention.syntaxError(source, at);
      }
    }

    private int literal() {
      boolean literal =
          at < tokens.size()
              && switch (tokens.kind(at)) {
                case STRING, BINARY, NUMBER -> true;
                default -> false;
              };
      if (!literal) {
        throw TableMention.syntaxError(source, at);
      }
      return at++;
    }

    private @Nullable FileCharacters charset() {
      if (took("CHARACTER")) {
        need("SET");
      } else if (!took("CHARSET")) {
        return null;
      }
      if (took("DEFAULT")) {
        return null;
      }
      String text = tokens.text(at);
      boolean isText = tokens.kind(at) == TokenKind.STRING && text.length() > 1;
      if (!isText && !tokens.isName(at)) {
        throw TableMention.syntaxError(source, at);
      }
      String name = isText ? text.substring(1, text.length() - 1) : tokens.name(at);
      at++;
      return new FileCharacters(name);
    }

    private void fields() {
      while (true) {
        if (took("TERMINATED")) {
          need("BY");
          fieldEnd = literal();
        } else if (took("OPTIONALLY")) {
          // reading is the same
        } else if (took("ENCLOSED")) {
          need("BY");
          enclosing = literal();
        } else if (took("ESCAPED")) {
          need("BY");
          escape = literal();
        } else {
          return;
        }
      }
    }

    private void lines() {
      while (true) {
        if (took("STARTING")) {
          need("BY");
          lineStart = literal();
        } else if (took("TERMINATED")) {
          need("BY");
          lineEnd = literal();
        } else {
          return;
        }
      }
    }

    private int skipped() {
      if (!took("IGNORE")) {
        return -1;
      }
      int count = literal();
      if (tokens.wholeNumber(count) < 0) {
        throw TableMention.syntaxError(source, count);
      }
      if (!took("LINES")) {
        need("ROWS");
      }
      return count;
    }

    private void columns(List<@Nullable String> into, List<String> variables) {
      int close = tokens.closing(at);
      var once = new HashSet<String>();
      for (int i = at + 1; i < close; i++) {
        boolean first = tokens.isPunctuation(i - 1, ',') || i - 1 == at;
        if (first) {
          if (tokens.isName(i) && !once.add(tokens.lowerName(i))) {
            throw ErrorCatalogue.COLUMN_TWICE.refuse(tokens.name(i));
          }
          into.add(tokens.isName(i) ? tokens.name(i) : null);
          variables.add(tokens.isName(i) ? "" : tokens.text(i).toLowerCase(Locale.ROOT));
        }
      }
      at = close + 1;
    }
  }
}
