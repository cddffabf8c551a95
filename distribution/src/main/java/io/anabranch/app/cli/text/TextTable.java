package io.anabranch.app.cli.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as operators read them: columns one below the other, or with tabs for other programs. */
public final class TextTable {

  private final List<String> titles;
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(List<String> titles) {
    this.titles = List.copyOf(titles);
  }

  /**
   * @param cells as many as there are titles
   */
  public void add(List<@Nullable String> cells) {
    rows.add(cells.stream().map(cell -> cell == null ? "NULL" : cell).toList());
  }

  /** How many rows there are. */
  public int size() {
    return rows.size();
  }

  public void print(PrintWriter out) {
    int[] widths = new int[titles.size()];
    measure(titles, widths);
    rows.forEach(row -> measure(row, widths));
    String rule = rule(widths);
    out.println(rule);
    line(out, titles, widths);
    out.println(rule);
    rows.forEach(row -> line(out, row, widths));
    out.println(rule);
  }

  /** With the characters that would break a line escaped as MySQL's client does in batch mode. */
  public void printTabs(PrintWriter out) {
    out.println(String.join("\t", titles.stream().map(TextTable::escaped).toList()));
    rows.forEach(
        row -> out.println(String.join("\t", row.stream().map(TextTable::escaped).toList())));
  }

  private static String escaped(String cell) {
    return cell.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  private static void measure(List<String> cells, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] =
          Math.max(widths[i], cells.get(i).lines().mapToInt(TextTable::width).max().orElse(0));
    }
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String rule(int[] widths) {
    var rule = new StringBuilder("+");
    for (int width : widths) {
      rule.append("-".repeat(width + 2)).append('+');
    }
    return rule.toString();
  }

  /** Cells of several lines, plans for instance, stay in their column. */
  private static void line(PrintWriter out, List<String> cells, int[] widths) {
    List<List<String>> parts = cells.stream().map(cell -> cell.lines().toList()).toList();
    int height = Math.max(1, parts.stream().mapToInt(List::size).max().orElse(1));
    for (int y = 0; y < height; y++) {
      var text = new StringBuilder("|");
      for (int x = 0; x < widths.length; x++) {
        String part = y < parts.get(x).size() ? parts.get(x).get(y) : "";
        text.append(' ').append(part).append(" ".repeat(widths[x] - width(part))).append(" |");
      }
      out.println(text);
    }
  }
}
