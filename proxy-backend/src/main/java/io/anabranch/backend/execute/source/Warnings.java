package io.anabranch.backend.execute.source;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.ShownWarnings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the last statement on a connection warned of. */
public final class Warnings {

  /**
   * Codes: ambiguous names, subqueries that are none, deprecated syntax with and without a
   * successor, deprecated character sets and collations, ignored options and hints.
   */
  private static final Set<String> OF_TEXT =
      Set.of("1052", "1249", "1287", "1681", "3719", "3720", "3778", "1618", "3128");

  /** A column that has no default: said once, not for each row, whenever a statement runs. */
  private static final String NO_DEFAULT = "1364";

  /** A warning's list, three texts and the arrays within them. */
  private static final int BYTES_BESIDE_TEXT = 200;

  /** A value that was not wholly one of the type it was compared as. */
  private static final String TRUNCATED = "1292";

  /** Of values that columns do not take, or not whole. */
  private static final Set<String> CHANGED_VALUES = Set.of("1264", "1265", "1366");

  /** As MySQL says it: MariaDB, which says nothing of these, names what it compares so. */
  private static final Pattern OF_COLUMN = Pattern.compile("for column '(.*)' at row \\d+$");

  /** What is compared with a date may be any text. */
  private static final Pattern DATE_OF_COLUMN =
      Pattern.compile("'\\d{4}-\\d{2}-\\d{2}.* for column '.*' at row \\d+$");

  private static final String NO_DAY = "'0000-00-00";

  /** What all servers keep of a statement's warnings, unless a session wants fewer. */
  private static final int USUALLY_KEPT = 64;

  private Warnings() {}

  /**
   * Level, code and message of each, the latter with logical names. Blocks.
   *
   * @param request whose memory keeps them
   * @throws io.anabranch.backend.shard.ShardException as the connection does
   */
  public static List<List<String>> read(Lease lease, MergeRequest request) {
    var rows = new ArrayList<List<String>>();
    ShownWarnings.read(
        lease,
        request.names(),
        row -> {
          request.memory().hold(BYTES_BESIDE_TEXT + 2L * row.getLast().length());
          rows.add(row);
        });
    return rows;
  }

  /**
   * What is warned of while a query is prepared, which its executions have not said again. Blocks;
   * nothing runs on the connection.
   */
  public static List<List<String>> ofText(Lease lease, ShardQuery query, MergeRequest request) {
    var _ = lease.shard().describe(query);
    return read(lease, request);
  }

  /**
   * Those of several queries as one statement would have them: every query repeats what is said of
   * the text itself, and that counts once; what is said of rows adds up.
   *
   * @param compared tells whether a message is about a literal of the text
   */
  public static List<List<String>> ofOneStatement(
      List<List<String>> all, ComparedLiterals compared) {
    Map<List<String>, Integer> times = times(all);
    var said = new HashSet<List<String>>();
    var kept = new ArrayList<List<String>>();
    for (List<String> row : all) {
      boolean isOfText =
          OF_TEXT.contains(row.get(1)) || isOfLiteral(row, each(times, row, compared), compared);
      if (!isOfText || said.add(row)) {
        kept.add(row);
      }
    }
    return kept;
  }

  /**
   * Those of a query over several tables that were joined for the proxy: a UNION keeps its rows in
   * a table, whose columns take a date without a month or a day for none where the mode does not
   * allow to store it. Of days that were none before that is right.
   *
   * @param counted how many there were
   * @throws io.anabranch.rules.error.RefusedException a value was changed
   */
  static List<List<String>> ofUnion(
      List<List<String>> rows, int counted, Set<String> dates, String dataSource) {
    if (!dates.isEmpty() && rows.size() < Math.min(counted, USUALLY_KEPT)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "dates of several tables of data source '" + dataSource + "' without all warnings",
          "SET max_error_count = DEFAULT");
    }
    var kept = new ArrayList<List<String>>();
    for (List<String> row : rows) {
      String message = row.get(2);
      if (!isOfChangedValue(row.get(1), message, dates)) {
        kept.add(row);
      } else if (!message.contains(NO_DAY)) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a date that is none ("
                + message
                + ") in several tables of data source '"
                + dataSource
                + "'",
            "leave NO_ZERO_IN_DATE and NO_ZERO_DATE out of sql_mode");
      }
    }
    return kept;
  }

  /** CAST warns of its own overflow as of a column's. */
  private static boolean isOfChangedValue(String code, String message, Set<String> dates) {
    if (code.equals(TRUNCATED)) {
      return DATE_OF_COLUMN.matcher(message).find();
    }
    Matcher column = OF_COLUMN.matcher(message);
    return CHANGED_VALUES.contains(code) && column.find() && dates.contains(column.group(1));
  }

  /**
   * What was said while rows were copied, and not again of the copies: conditions of a query may be
   * in the reading of its tables, and are in it once more.
   */
  public static List<List<String>> notAmong(List<List<String>> again, List<List<String>> copied) {
    Map<List<String>, Integer> times = times(again);
    var others = new ArrayList<List<String>>();
    for (List<String> row : copied) {
      if (times.merge(row, -1, Integer::sum) < 0) {
        others.add(row);
      }
    }
    return others;
  }

  /**
   * Answers to statements that were made of one text, without what an answer before has said of
   * that text as often.
   *
   * @param none whether nothing is to be said of the text at all
   * @param compared tells whether a message is about a literal of the text
   */
  public static List<Answered> saidOnce(
      List<Answered> answers, boolean none, ComparedLiterals compared) {
    var said = new HashMap<List<String>, Integer>();
    var result = new ArrayList<Answered>(answers.size());
    for (Answered answer : answers) {
      Map<List<String>, Integer> all = times(answer.warnings());
      var here = new HashMap<List<String>, Integer>();
      var kept = new ArrayList<List<String>>();
      for (List<String> row : answer.warnings()) {
        boolean again =
            row.get(1).equals(NO_DEFAULT) || isOfLiteral(row, all.getOrDefault(row, 1), compared);
        boolean ofText = OF_TEXT.contains(row.get(1));
        int times = ofText || again ? here.merge(row, 1, Integer::sum) : 0;
        boolean isNews = times > said.getOrDefault(row, 0);
        if (again ? isNews : !ofText || (!none && isNews)) {
          kept.add(row);
        }
      }
      here.forEach((row, times) -> said.merge(row, times, Math::max));
      result.add(answer.warning(kept));
    }
    return result;
  }

  /**
   * The failure of a statement whose rows went to several databases, among all that one server
   * would have warned of for certain before it came to the row that failed.
   *
   * @param failure with the client's row numbers
   * @param others what was said of the other databases' rows, with the client's row numbers
   */
  public static ShardException.Database inFrontOf(
      ShardException.Database failure, List<List<String>> others) {
    var ordered = new TreeMap<Integer, List<List<String>>>();
    int row = 0;
    for (List<String> told : failure.problems()) {
      row = Math.max(row, RowNumbers.of(told.get(2), row));
      ordered.computeIfAbsent(row, _ -> new ArrayList<>()).add(told);
    }
    for (List<String> told : others) {
      int other = RowNumbers.of(told.get(2), row);
      if (other < row && !told.getFirst().equals("Error")) {
        ordered.computeIfAbsent(other, _ -> new ArrayList<>()).add(told);
      }
    }
    return failure.among(ordered.values().stream().flatMap(List::stream).toList());
  }

  /** The first one that is no note as the error that it is in statements that change rows. */
  public static ShardException.@Nullable Database refusal(List<List<String>> rows) {
    return rows.stream()
        .filter(row -> row.getFirst().equals("Warning"))
        .filter(row -> !OF_TEXT.contains(row.get(1)))
        .findFirst()
        .map(
            row ->
                new ShardException.Database(
                    Integer.parseInt(row.get(1)), state(row.get(1)), row.get(2)))
        .orElse(null);
  }

  private static String state(String code) {
    return switch (code) {
      case "1292", "1366", "1525" -> "22007";
      case "1365" -> "22012";
      case "1264", "1690" -> "22003";
      case "1406" -> "22001";
      case "1441" -> "22008";
      case "1265" -> "01000";
      default -> "HY000";
    };
  }

  private static Map<List<String>, Integer> times(List<List<String>> rows) {
    var times = new HashMap<List<String>, Integer>();
    rows.forEach(row -> times.merge(row, 1, Integer::sum));
    return times;
  }

  private static int each(
      Map<List<String>, Integer> times, List<String> row, ComparedLiterals compared) {
    return row.get(1).equals(TRUNCATED)
        ? Math.ceilDiv(times.getOrDefault(row, 1), compared.queries())
        : 1;
  }

  private static boolean isOfLiteral(List<String> row, int times, ComparedLiterals compared) {
    return row.get(1).equals(TRUNCATED) && compared.isMentioned(row.get(2), times);
  }
}
