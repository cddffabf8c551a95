package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.rows.FileLines;
import io.anabranch.backend.execute.source.RowNumbers;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Load.Blank;
import io.anabranch.rules.plan.PlanNode.Load.Filler;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server warns of while it reads the lines of a file, among what databases warn of when the
 * rows are written. They may warn of literals that stand for values that are not there, too: that
 * is no client's.
 */
final class LoadDoubts {

  /** As many as max_error_count can say; the others are counted. */
  private static final int MOST_WARNINGS = 65_535;

  /** About what one takes. */
  private static final int WARNING_BYTES = 300;

  /** Memory is taken for so many lines at once. */
  private static final int LINES = 8 << 10;

  private static final Pattern COLUMN =
      Pattern.compile("column (?:'(.+)'|(?:`.+`\\.)?`(.+)`) at row \\d+");

  /** What is told of a row as a whole stands behind what is told of its fields. */
  private static final int WHOLE_ROW = Integer.MAX_VALUE;

  private final PlanNode.Load load;
  private final StatementMemory memory;
  private final List<Doubt> doubts = new ArrayList<>();

  /** For each column the lines with a literal of ours that databases may warn of. */
  private final List<BitSet> noted = new ArrayList<>();

  private int count;

  /** How many lines may be noted. */
  private long held;

  LoadDoubts(PlanNode.Load load, StatementMemory memory) {
    this.load = load;
    this.memory = memory;
    load.blanks().forEach(blank -> noted.add(new BitSet()));
  }

  /**
   * @param position of the column, or {@link #WHOLE_ROW}
   */
  private record Doubt(int record, int position, List<String> row) {}

  /** All warnings, and how many there are where not all of them are kept. */
  record Told(List<List<String>> rows, int count) {}

  /**
   * Takes a line.
   *
   * @param record its number, from 1
   * @throws RefusedException it cannot be stored
   */
  void of(List<FileLines.Field> line, long record) {
    int[] columns = load.format().columns();
    for (int field = 0; field < columns.length; field++) {
      int position = columns[field];
      if (position < 0 || position >= load.width()) {
        // of variables nothing is said
        continue;
      }
      Blank blank = load.blanks().get(position);
      if (field >= line.size()) {
        note(required(blank, blank.missing(), record), position, record);
        doubt(ErrorCatalogue.TOO_FEW_FIELDS.refuse(record), record, WHOLE_ROW);
      } else if (line.get(field).bytes() == null) {
        note(required(blank, blank.none(), record), position, record);
        if (blank.warns()) {
          doubt(ErrorCatalogue.NULL_FIELD.refuse(blank.column(), record), record, position);
        }
      }
    }
    if (line.size() > columns.length) {
      doubt(ErrorCatalogue.TOO_MANY_FIELDS.refuse(record), record, WHOLE_ROW);
    }
  }

  private static Filler required(Blank blank, @Nullable Filler filler, long record) {
    if (filler == null) {
      throw ErrorCatalogue.NULL_FIELD.refuse(blank.column(), record);
    }
    return filler;
  }

  private void note(Filler filler, int position, long record) {
    if (filler.noted() && isHeld(record)) {
      noted.get(position).set(Math.toIntExact(record));
    }
  }

  /** Whether there is memory for a bit of each column, and for as many while bits are moved. */
  private boolean isHeld(long record) {
    while (record > held && memory.tryHold(2L * noted.size() * LINES / Byte.SIZE)) {
      held += LINES;
    }
    return record <= held;
  }

  private void doubt(RefusedException told, long record, int position) {
    if (load.strict()) {
      throw told;
    }
    count++;
    if (doubts.size() < MOST_WARNINGS && memory.tryHold(WARNING_BYTES)) {
      List<String> row =
          List.of("Warning", Integer.toString(told.errno()), String.valueOf(told.getMessage()));
      doubts.add(new Doubt(Math.toIntExact(record), position, row));
    }
  }

  /**
   * Everything in the order of a server: it takes the fields of a line, finds its end, then writes
   * the row.
   *
   * @param warnings of databases, in the order of the rows
   * @param all how many these are
   */
  Told among(List<List<String>> warnings, int all) {
    var rows = new ArrayList<List<String>>();
    var isWarned = new boolean[noted.size()];
    int next = 0;
    int number = 0;
    for (List<String> warning : warnings) {
      int own = RowNumbers.of(warning.get(2), -1);
      number = Math.max(number, own);
      int position = position(warning.get(2));
      if (position != WHOLE_ROW && noted.get(position).get(Math.max(own, 0))) {
        isWarned[position] = true;
        continue;
      }
      while (next < doubts.size() && isBefore(doubts.get(next), number, own < 0, position)) {
        rows.add(doubts.get(next++).row());
      }
      rows.add(warning);
    }
    doubts.subList(next, doubts.size()).forEach(doubt -> rows.add(doubt.row()));
    return new Told(rows, all + count - unwanted(isWarned));
  }

  /** A literal is always warned of, or never. */
  private int unwanted(boolean[] isWarned) {
    int unwanted = 0;
    for (int position = 0; position < isWarned.length; position++) {
      unwanted += isWarned[position] ? noted.get(position).cardinality() : 0;
    }
    return unwanted;
  }

  private static boolean isBefore(Doubt doubt, int number, boolean isOfRow, int position) {
    return doubt.record() < number
        || (doubt.record() == number && (isOfRow || doubt.position() < position));
  }

  /** Of the column that a warning is about. */
  private int position(String message) {
    Matcher column = COLUMN.matcher(message);
    if (column.find()) {
      String name = column.group(1) == null ? column.group(2) : column.group(1);
      for (int position = 0; position < load.blanks().size(); position++) {
        if (load.blanks().get(position).column().equalsIgnoreCase(name)) {
          return position;
        }
      }
    }
    return WHOLE_ROW;
  }
}
