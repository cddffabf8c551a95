package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.table.PlacedTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Texts that are computed of floating numbers, such as {@code CONCAT(price)} of a DOUBLE. A server
 * says 22 characters of one and tells up to 24, of which a UNION keeps what was said: the end of
 * the exponent is gone. What is known to be no such text is listed, and all else may be one.
 */
final class ShownDoubles {

  /** Give no floating number, and show none but what their operands are. */
  private static final Set<String> PLAIN =
      Set.of(
          ("ASCII AVG BIN BIT_AND BIT_LENGTH BIT_OR BIT_XOR CAST CHAR CHARACTER_LENGTH CHAR_LENGTH CHARSET COALESCE"
                  + " COLLATION CONCAT CONCAT_WS CONV CONVERT COUNT CRC32 CURDATE CURRENT_DATE CURRENT_TIME"
                  + " CURRENT_TIMESTAMP CURTIME DATABASE DATE DATEDIFF DATE_ADD DATE_FORMAT DATE_SUB DAY DAYNAME DAYOFMONTH"
                  + " DAYOFWEEK DAYOFYEAR ELT EXPORT_SET EXTRACT FIELD FIND_IN_SET FROM_BASE64 FROM_DAYS GREATEST"
                  + " GROUP_CONCAT HEX HOUR IF IFNULL INET6_NTOA INET_NTOA INSERT INSTR ISNULL JSON_EXTRACT JSON_UNQUOTE"
                  + " LAST_DAY LCASE LEAST LEFT LENGTH LOCALTIME LOCALTIMESTAMP LOCATE LOWER LPAD LTRIM MAKE_SET MAX MD5"
                  + " MICROSECOND MID MIN MINUTE MONTH MONTHNAME NOW NULLIF OCT OCTET_LENGTH ORD POSITION QUARTER QUOTE"
                  + " REPEAT REPLACE REVERSE RIGHT RPAD RTRIM SCHEMA SEC_TO_TIME SECOND SHA SHA1 SHA2 SOUNDEX SPACE STRCMP"
                  + " STR_TO_DATE SUBSTR SUBSTRING SUBSTRING_INDEX SUM TIME TIMESTAMP TIMESTAMPDIFF TIME_FORMAT TO_BASE64"
                  + " TO_DAYS TRIM UCASE UNHEX UPPER UTC_DATE UTC_TIME UTC_TIMESTAMP UUID WEEK WEEKDAY WEEKOFYEAR YEAR"
                  + " YEARWEEK")
              .split(" "));

  private static final Set<String> FLOATING = Set.of("float", "double", "real");

  private final SqlTokens tokens;
  private final Analysis analysis;
  private final SelectLayout layout;

  private ShownDoubles(Analysis analysis, SelectLayout layout) {
    this.tokens = analysis.source().tokens();
    this.analysis = analysis;
    this.layout = layout;
  }

  /**
   * Whether one may be among the columns of a leg.
   *
   * @param columns of the leg
   */
  static boolean areIn(Analysis analysis, SelectLayout layout, List<ResultColumn> columns) {
    return columns.stream().anyMatch(ShownDoubles::isComputed)
        && new ShownDoubles(analysis, layout).mayBe(columns);
  }

  private static boolean isComputed(ResultColumn column) {
    boolean isOfTable = !column.orgTable().isEmpty() && !column.orgName().isEmpty();
    return Comparability.isString(column) && !isOfTable;
  }

  private boolean mayBe(List<ResultColumn> columns) {
    boolean isNested = tokens.from(1).hasWord("SELECT", "WITH", "VALUES", "TABLE");
    boolean areThere = isNested ? isFloating(tokens.all()) : areInLists(columns);
    return areThere || analysis.tables().stream().anyMatch(this::mayGiveOne);
  }

  /** The items stand in front of what rows are grouped and sorted by besides. */
  private boolean areInLists(List<ResultColumn> columns) {
    List<Span> items = layout.items();
    boolean isOneEach = columns.size() >= items.size() && items.stream().noneMatch(this::isStar);
    for (int i = 0; i < items.size(); i++) {
      if ((!isOneEach || isComputed(columns.get(i))) && isFloating(items.get(i))) {
        return true;
      }
    }
    return (!isOneEach || columns.size() > items.size())
        && Stream.of(layout.groupBy(), layout.orderBy())
            .flatMap(List::stream)
            .anyMatch(this::isFloating);
  }

  private boolean isStar(Span item) {
    return tokens.isOperator(item.behind() - 1, "*");
  }

  private boolean mayGiveOne(PlacedTable table) {
    Optional<TableSchema> schema = Analysis.schema(analysis.task(), table);
    return schema.isEmpty()
        || schema.get().view() != null
        || analysis.mentions(table, ShownDoubles::isFloating);
  }

  private static boolean isFloating(Column column) {
    return FLOATING.contains(column.type().toLowerCase(Locale.ROOT).split("[ (]", 2)[0]);
  }

  private boolean isFloating(Span span) {
    return isFloating(tokens.between(span.first(), span.behind()));
  }

  private boolean isFloating(TokenRange range) {
    return range.has(token -> isFloating(token, range.first()));
  }

  private boolean isFloating(int token, int first) {
    return switch (tokens.kind(token)) {
      case NUMBER -> isWithExponent(tokens.text(token).toLowerCase(Locale.ROOT));
      case VARIABLE -> true;
      case OPERATOR -> isArithmetic(token) && !isStar(token, first);
      case WORD, QUOTED -> isFloatingName(token);
      default -> false;
    };
  }

  private static boolean isWithExponent(String number) {
    return number.indexOf('e') >= 0 && !number.startsWith("0x");
  }

  private boolean isArithmetic(int token) {
    return Stream.of("+", "-", "*", "/", "%").anyMatch(sign -> tokens.isOperator(token, sign));
  }

  /** {@code t.*}, {@code COUNT(*)}. */
  private boolean isStar(int token, int first) {
    return tokens.isOperator(token, "*")
        && (token == first
            || tokens.isPunctuation(token - 1, '.')
            || tokens.isPunctuation(token - 1, ',')
            || tokens.isPunctuation(token - 1, '(')
            || tokens.isWord(token - 1, "SELECT"));
  }

  private boolean isFloatingName(int token) {
    boolean isCall = tokens.isPunctuation(token + 1, '(');
    if (!isCall) {
      return tokens.isAnyWord(token, "DIV", "MOD", "DOUBLE", "FLOAT", "REAL");
    }
    String name = tokens.name(token).toUpperCase(Locale.ROOT);
    boolean isGrammar =
        tokens.kind(token) == TokenKind.WORD && SqlFunctions.isGrammar(tokens.word(token));
    return !isGrammar && !PLAIN.contains(name);
  }
}
