package io.anabranch.app.faults;

import java.util.Map;
import java.util.TreeMap;

/** What came of the faults that were tried, by side and stage and by side and kind of command. */
final class FaultOutcomes {

  static final String ERROR = "error ";

  private final Map<String, Map<Fault, Map<String, Integer>>> stages = new TreeMap<>();
  private final Map<String, Map<Fault, Map<String, Integer>>> commands = new TreeMap<>();
  private int count;

  /**
   * @param stage with its side, as two cells of a table; {@code command} likewise
   */
  void add(String stage, String command, Fault fault, String outcome, String expected) {
    count++;
    String kind = outcome.equals(expected) ? "answer" : number(outcome);
    count(stages, stage, fault, kind);
    count(commands, command, fault, kind);
  }

  private static void count(
      Map<String, Map<Fault, Map<String, Integer>>> table, String row, Fault fault, String kind) {
    table
        .computeIfAbsent(row, _ -> new TreeMap<>())
        .computeIfAbsent(fault, _ -> new TreeMap<>())
        .merge(kind, 1, Integer::sum);
  }

  private static String number(String outcome) {
    return outcome.startsWith(ERROR) ? outcome.split(" ", 3)[1] : "false";
  }

  int count() {
    return count;
  }

  /**
   * Markdown: stages down, faults across, then kinds of commands down; how often the answer came,
   * and which errors.
   */
  String table() {
    return table("stage", stages) + '\n' + table("command", commands) + '\n' + count + " faults\n";
  }

  private static String table(String what, Map<String, Map<Fault, Map<String, Integer>>> rows) {
    var table = new StringBuilder("| side | ").append(what).append(" |");
    for (Fault fault : Fault.values()) {
      table.append(' ').append(fault).append(" |");
    }
    table.append("\n| --- | --- |").append(" --- |".repeat(Fault.values().length)).append('\n');
    rows.forEach(
        (row, faults) -> {
          table.append("| ").append(row).append(" |");
          for (Fault fault : Fault.values()) {
            Map<String, Integer> kinds = faults.getOrDefault(fault, Map.of());
            var cell = new StringBuilder();
            kinds.forEach(
                (kind, times) ->
                    cell.append(cell.isEmpty() ? "" : ", ")
                        .append(times)
                        .append(" × ")
                        .append(kind));
            table.append(' ').append(cell).append(" |");
          }
          table.append('\n');
        });
    return table.toString();
  }
}
