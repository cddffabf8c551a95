package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.Answered;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.RowNumbers;
import io.anabranch.backend.execute.source.Warnings;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.PlanNode.Verb;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The OK packets of several writes as one.
 *
 * @param answers those that count, in the order of the queries
 */
record OutcomeSum(List<Answered> answers) {

  /** Division by zero, a wrong value for a type or a function, a moment beyond its range. */
  private static final Set<String> OF_VALUES = Set.of("1292", "1365", "1411", "1441");

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern MATCHED = Pattern.compile("Rows matched: (\\d+)");
  private static final Pattern READ = Pattern.compile("(?:Rows matched|Records): (\\d+)");
  private static final Pattern WARNED = Pattern.compile("Warnings: \\d+");
  private static final Pattern DUPLICATES = Pattern.compile("Duplicates: (\\d+)");

  /**
   * What is said of the text itself counts once, however many statements were made of it.
   *
   * @param prepared whether it was said when the client prepared the statement, and not again now
   * @param compared the text's literals
   */
  static OutcomeSum of(List<Answered> answers, boolean prepared, ComparedLiterals compared) {
    return new OutcomeSum(Warnings.saidOnce(answers, prepared, compared));
  }

  /**
   * How many rows an UPDATE found: the first number, in whatever language; -1: its text does not
   * say.
   */
  static long matched(String info) {
    Matcher told = NUMBER.matcher(info);
    return told.find() ? Long.parseLong(told.group()) : -1;
  }

  /** Of statements that differ in their nodes only: their texts add up, too. */
  MergeOutcome.Done total() {
    return total(answers.isEmpty() ? "" : info(), READ);
  }

  /**
   * Of a statement whose rows were given to the nodes.
   *
   * @param records how many rows there were
   */
  MergeOutcome.Done total(Verb verb, long records) {
    return total(
        switch (verb) {
          case INSERT -> inserted(records, false);
          case INSERT_IGNORE -> inserted(records, true);
          case UPDATE -> answers.isEmpty() ? "Rows matched: 0  Changed: 0  Warnings: 0" : info();
          case INSERT_ROW, DELETE, DEFINE, DROP -> "";
        },
        MATCHED);
  }

  /**
   * Of a definition: rows of all, warnings of the first, and what others say besides of rows of
   * their own.
   */
  MergeOutcome.Done defined() {
    MergeOutcome.Done all = total();
    MergeOutcome.Done first = new OutcomeSum(answers.subList(0, 1)).total();
    var rows = new ArrayList<>(first.warningRows());
    var known = new HashSet<>(rows);
    answers.stream()
        .flatMap(answer -> answer.warnings().stream())
        .filter(row -> isOfValue(row) && known.add(row))
        .forEach(rows::add);
    int warnings = first.warnings() + rows.size() - first.warningRows().size();
    String info = WARNED.matcher(all.info()).replaceFirst("Warnings: " + warnings);
    return new MergeOutcome.Done(all.affectedRows(), 0, warnings, info, rows);
  }

  private static boolean isOfValue(List<String> warning) {
    return RowNumbers.of(warning.get(2), -1) >= 0 || OF_VALUES.contains(warning.get(1));
  }

  /** Of tables that were dropped: those that are unknown are told together. */
  MergeOutcome.Done dropped() {
    MergeOutcome.Done all = total();
    List<List<String>> rows = UnknownTables.together(all.warningRows());
    int warnings = all.warnings() - all.warningRows().size() + rows.size();
    return new MergeOutcome.Done(all.affectedRows(), 0, warnings, all.info(), rows);
  }

  /** Of a file that was loaded. */
  MergeOutcome.Done loaded(long records, boolean replaces, LoadDoubts doubts) {
    long duplicates = duplicates(!replaces);
    MergeOutcome.Done sum = total("", MATCHED);
    LoadDoubts.Told told = doubts.among(sum.warningRows(), sum.warnings());
    return new MergeOutcome.Done(
        sum.affectedRows(),
        sum.lastInsertId(),
        told.count(),
        "Records: %d  Deleted: %d  Skipped: %d  Warnings: %d"
            .formatted(records, replaces ? duplicates : 0, replaces ? 0 : duplicates, told.count()),
        told.rows());
  }

  private MergeOutcome.Done total(String info, Pattern counts) {
    long affected = 0;
    long insertId = 0;
    for (Answered answer : answers) {
      ShardOutcome outcome = answer.outcome();
      affected += outcome.affectedRows();
      insertId = insertId == 0 ? outcome.lastInsertId() : insertId;
    }
    return new MergeOutcome.Done(affected, insertId, warnings(), info, warningRows(counts));
  }

  /**
   * In the order of the client's rows.
   *
   * @param counts finds in the text of an answer how many rows it was about, where rows are to be
   *     numbered through
   */
  private List<List<String>> warningRows(Pattern counts) {
    var rows = new ArrayList<Numbered>();
    int before = 0;
    for (Answered answer : answers) {
      int number = 0;
      for (List<String> row : answer.warnings()) {
        String text = RowNumbers.behind(before, row.get(2));
        // what names no row stays behind what was said before it
        number = RowNumbers.of(text, number);
        rows.add(new Numbered(number, List.of(row.get(0), row.get(1), text)));
      }
      Matcher matched = counts.matcher(answer.outcome().info());
      before += matched.find() ? Integer.parseInt(matched.group(1)) : 0;
    }
    return rows.stream()
        .sorted(Comparator.comparingInt(Numbered::number))
        .map(Numbered::row)
        .toList();
  }

  /** A warning and the row that it is about, as far as that is told. */
  private record Numbered(int number, List<String> row) {}

  private int warnings() {
    int warnings = 0;
    for (Answered answer : answers) {
      ShardOutcome outcome = answer.outcome();
      warnings += outcome.warnings();
    }
    return warnings;
  }

  /** A node that got one row says nothing: what happened to it is told by the count. */
  private String inserted(long records, boolean ignores) {
    return "Records: "
        + records
        + "  Duplicates: "
        + duplicates(ignores)
        + "  Warnings: "
        + warnings();
  }

  private long duplicates(boolean ignores) {
    long duplicates = 0;
    for (Answered answer : answers) {
      ShardOutcome outcome = answer.outcome();
      Matcher told = DUPLICATES.matcher(outcome.info());
      if (told.find()) {
        duplicates += Long.parseLong(told.group(1));
      } else if (ignores) {
        duplicates += outcome.affectedRows() == 0 ? 1 : 0;
      } else {
        duplicates += Math.max(0, outcome.affectedRows() - 1);
      }
    }
    return duplicates;
  }

  /**
   * {@code Rows matched: 2 Changed: 0 Warnings: 0} and its like: texts that differ in numbers only.
   * Warnings are those that count. A node whose rows cannot fulfil the condition says nothing.
   */
  private String info() {
    String text =
        answers.stream()
            .map(answer -> answer.outcome().info())
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("");
    String shape = NUMBER.matcher(text).replaceAll("#");
    long[] sums = new long[(int) NUMBER.matcher(text).results().count()];
    for (Answered answer : answers) {
      ShardOutcome outcome = answer.outcome();
      if (outcome.info().isEmpty()) {
        continue;
      }
      if (!NUMBER.matcher(outcome.info()).replaceAll("#").equals(shape)) {
        return "";
      }
      Matcher numbers = NUMBER.matcher(outcome.info());
      for (int i = 0; numbers.find(); i++) {
        sums[i] += Long.parseLong(numbers.group());
      }
    }
    int[] index = {0};
    String sum = NUMBER.matcher(text).replaceAll(match -> Long.toString(sums[index[0]++]));
    return WARNED.matcher(sum).replaceFirst("Warnings: " + warnings());
  }
}
