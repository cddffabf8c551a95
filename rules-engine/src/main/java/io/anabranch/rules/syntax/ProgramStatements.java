package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The statements in the body of a stored program, or of a compound statement: whatever may begin
 * one is told as one. In doubt there is one statement more rather than one less, so that who
 * refuses what they do misses none.
 */
public final class ProgramStatements {

  /** Between CREATE and what is made, besides signs. */
  private static final Set<String> BEFORE_OBJECT =
      Set.of("OR", "REPLACE", "DEFINER", "CURRENT_USER", "CURRENT_ROLE", "AGGREGATE");

  /** Of MariaDB, outside of programs. */
  private static final Set<String> COMPOUND =
      Set.of("IF", "CASE", "LOOP", "REPEAT", "WHILE", "FOR", "DECLARE");

  /** Types and characteristics of a routine: what may stand in front of its body. */
  private static final Set<String> OF_HEADER =
      Set.of(
          "RETURNS",
          "COMMENT",
          "LANGUAGE",
          "SQL",
          "NOT",
          "DETERMINISTIC",
          "CONTAINS",
          "NO",
          "READS",
          "MODIFIES",
          "DATA",
          "SECURITY",
          "DEFINER",
          "INVOKER",
          "CHARACTER",
          "CHARSET",
          "COLLATE",
          "UNSIGNED",
          "SIGNED",
          "ZEROFILL",
          "BINARY",
          "ASCII",
          "UNICODE",
          "BYTE",
          "PRECISION",
          "VARYING",
          "NATIONAL",
          "AS",
          "IS",
          "INT",
          "INTEGER",
          "TINYINT",
          "SMALLINT",
          "MEDIUMINT",
          "BIGINT",
          "INT1",
          "INT2",
          "INT3",
          "INT4",
          "INT8",
          "MIDDLEINT",
          "BOOL",
          "BOOLEAN",
          "BIT",
          "DECIMAL",
          "DEC",
          "NUMERIC",
          "FIXED",
          "NUMBER",
          "FLOAT",
          "FLOAT4",
          "FLOAT8",
          "DOUBLE",
          "REAL",
          "CHAR",
          "NCHAR",
          "VARCHAR",
          "VARCHAR2",
          "NVARCHAR",
          "VARBINARY",
          "RAW",
          "TEXT",
          "TINYTEXT",
          "MEDIUMTEXT",
          "LONGTEXT",
          "LONG",
          "BLOB",
          "TINYBLOB",
          "MEDIUMBLOB",
          "LONGBLOB",
          "CLOB",
          "DATE",
          "TIME",
          "DATETIME",
          "TIMESTAMP",
          "YEAR",
          "ENUM",
          "JSON",
          "GEOMETRY",
          "POINT",
          "LINESTRING",
          "POLYGON",
          "MULTIPOINT",
          "MULTILINESTRING",
          "MULTIPOLYGON",
          "GEOMETRYCOLLECTION",
          "GEOMCOLLECTION",
          "UUID",
          "INET4",
          "INET6",
          "VECTOR",
          "XMLTYPE");

  /** A name follows that is no statement. */
  private static final Set<String> BEFORE_NAME = Set.of("LANGUAGE", "COLLATE", "CHARSET");

  /** Other statements follow. */
  private static final Set<String> OPENS = Set.of("BEGIN", "ELSE", "LOOP", "REPEAT", "ATOMIC");

  private final SqlTokens tokens;
  private final List<Span> statements = new ArrayList<>();

  /** Where the statement that is read begins; -1: none is. */
  private int start = -1;

  /** The first word of the statement that is read. */
  private String head = "";

  /** CASE within an expression that is open: its THEN begins no statement. */
  private int cases;

  private boolean begins = true;

  private ProgramStatements(SqlTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * @param tokens of a whole statement, without marks of comments
   * @return each up to its semicolon, or to the first statement within; none if it has no body
   */
  public static List<Span> of(SqlTokens tokens) {
    int body = body(tokens);
    if (body < 0 || body >= tokens.size()) {
      return List.of();
    }
    var reading = new ProgramStatements(tokens);
    tokens.from(body).walk(reading::step);
    reading.end(tokens.size());
    return reading.statements;
  }

  // ---------------------------------------------------------------- where the body begins

  /** -1: there is none. */
  private static int body(SqlTokens tokens) {
    if (!tokens.isWord(0, "CREATE") && !tokens.isWord(0, "ALTER")) {
      boolean isLabel = tokens.isName(0) && isColon(tokens, 1);
      boolean isBlock = tokens.isWord(0, "BEGIN") && tokens.isWord(1, "NOT");
      return isLabel || isBlock || COMPOUND.contains(tokens.word(0)) ? 0 : -1;
    }
    int object = tokens.from(1).skip(i -> isBeforeObject(tokens, i));
    return switch (tokens.word(object)) {
      case "TRIGGER" -> behindRow(tokens, object);
      case "EVENT" -> behindDo(tokens, object);
      case "PROCEDURE", "FUNCTION", "PACKAGE" -> behindHeader(tokens, object);
      default -> -1;
    };
  }

  private static boolean isBeforeObject(SqlTokens tokens, int i) {
    return BEFORE_OBJECT.contains(tokens.word(i)) || tokens.word(i).isEmpty();
  }

  private static int behindRow(SqlTokens tokens, int object) {
    int each = tokens.from(object + 2).find(i -> tokens.isWord(i, "EACH"));
    if (each < 0) {
      return -1;
    }
    boolean isOrdered = tokens.isAnyWord(each + 2, "FOLLOWS", "PRECEDES");
    return isOrdered ? tokens.lastOfName(each + 3) + 1 : each + 2;
  }

  private static int behindDo(SqlTokens tokens, int object) {
    int last = behindName(tokens, object);
    int found = tokens.from(last).find(i -> tokens.depth(i) == 0 && tokens.isWord(i, "DO"));
    return found < 0 ? -1 : found + 1;
  }

  private static int behindName(SqlTokens tokens, int object) {
    int name = tokens.from(object + 1).skipWords("BODY", "IF", "NOT", "EXISTS");
    return tokens.lastOfName(name) + 1;
  }

  private static int behindHeader(SqlTokens tokens, int object) {
    return tokens.from(behindName(tokens, object)).skip(i -> isOfHeader(tokens, i));
  }

  private static boolean isOfHeader(SqlTokens tokens, int i) {
    boolean isValue = tokens.kind(i) == TokenKind.STRING || tokens.kind(i) == TokenKind.NUMBER;
    boolean isEnclosed =
        tokens.depth(i) > 0 || tokens.isPunctuation(i, '(') || tokens.isPunctuation(i, ')');
    boolean isNamed =
        tokens.isName(i)
            && (BEFORE_NAME.contains(tokens.word(i - 1))
                || (tokens.isWord(i - 1, "SET") && tokens.isWord(i - 2, "CHARACTER")));
    boolean isSet =
        tokens.isWord(i, "SET")
            && (tokens.isWord(i - 1, "CHARACTER") || tokens.isPunctuation(i + 1, '('));
    return isValue || isEnclosed || isNamed || isSet || OF_HEADER.contains(tokens.word(i));
  }

  // ---------------------------------------------------------------- the body

  /** Reads one token, or a few that belong together; where the next one begins. */
  private int step(int i) {
    if (tokens.isPunctuation(i, ';')) {
      end(i);
      begins = true;
      return i + 1;
    }
    return begins ? begin(i) : goOn(i);
  }

  private int begin(int i) {
    if (tokens.isName(i) && isColon(tokens, i + 1)) {
      return i + 2;
    }
    end(i);
    start = i;
    cases = 0;
    head = tokens.word(i);
    if (head.equals("BEGIN") && tokens.isWord(i + 1, "NOT")) {
      return i + 3;
    }
    boolean holdsAnother = head.equals("SET") && tokens.isWord(i + 1, "STATEMENT");
    head = holdsAnother ? "STATEMENT" : head;
    begins = OPENS.contains(head);
    return i + 1;
  }

  private int goOn(int i) {
    if (tokens.isPunctuation(i - 1, '.')) {
      return i + 1;
    }
    switch (tokens.word(i)) {
      case "CASE" -> cases++;
      case "END" -> cases = Math.max(0, cases - 1);
      case "THEN" -> begins = cases == 0;
      case "LOOP" -> begins = !head.equals("END");
      // elsewhere it may be a column
      case "BEGIN" -> begins = tokens.isAnyWord(i - 1, "AS", "IS") || isColon(tokens, i - 1);
      case "DO" -> begins = Set.of("WHILE", "FOR", "DO").contains(head);
      case "FOR" -> {
        if (head.equals("DECLARE") && tokens.isWord(i - 1, "HANDLER")) {
          begins = true;
          return behindConditions(i + 1);
        }
        begins = head.equals("STATEMENT");
      }
      default -> {}
    }
    return i + 1;
  }

  /** {@code NOT FOUND, SQLSTATE VALUE '02000', 1062}. */
  private int behindConditions(int from) {
    int next = behindCondition(from);
    while (tokens.isPunctuation(next, ',')) {
      next = behindCondition(next + 1);
    }
    return next;
  }

  private int behindCondition(int at) {
    if (tokens.isWord(at, "SQLSTATE")) {
      return at + (tokens.isWord(at + 1, "VALUE") ? 3 : 2);
    }
    return at + (tokens.isWord(at, "NOT") ? 2 : 1);
  }

  /** The statement that is read ends in front of {@code behind}, if there is one. */
  private void end(int behind) {
    if (start >= 0) {
      statements.add(new Span(start, behind));
      start = -1;
    }
  }

  private static boolean isColon(SqlTokens tokens, int i) {
    return tokens.isPunctuation(i, ':') || tokens.isOperator(i, ":");
  }
}
