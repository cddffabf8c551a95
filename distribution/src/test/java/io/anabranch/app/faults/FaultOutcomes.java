package io.anabranch.app.faults;

import java.util.Map;
import java.util.TreeMap;

/** What came of the faults that were tried, by side, stage and fault. */
final class FaultOutcomes {

  static final String ERROR = "error ";

  private final Map<String, Map<Fault, Map<String, Integer>>> stages = new TreeMap<>();
  private int count;

  void add(String side, String stage, Fault fault, String outcome, String expected) {
    count++;
    String kind = outcome.equals(expected) ? "answer" : number(outcome);
    stages
        .computeIfAbsent(side + " | " + stage, _ -> new TreeMap<>())
        .computeIfAbsent(fault, _ -> new TreeMap<>())
        .merge(kind, 1, Integer::sum);
  }

  private static String number(String outcome) {
    return outcome.startsWith(ERROR) ? outcome.split(" ", 3)[1] : "false";
  }

  int count() {
    return count;
  }

  /** Markdown: stages down, faults across; how often the answer came, and which errors. */
  String table() {
    var table = new StringBuilder("| side | stage |");
    for (Fault fault : Fault.values()) {
      table.append(' ').append(fault).append(" |");
    }
    table.append("\n| --- | --- |").append(" --- |".repeat(Fault.values().length)).append('\n');
    stages.forEach(
        (stage, faults) -> {
          table.append("| ").append(stage).append(" |");
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
    return table.append('\n').append(count).append(" faults\n").toString();
  }
}
