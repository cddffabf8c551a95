package io.anabranch.app.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * {@code docs/compatibility.md}, where a test runs on MySQL {@code docs/compatibility-mysql.md}, of
 * which each table is what a test saw. A test collects rows and gives them to {@link #section}; the
 * page in the repository must have the very table. With {@code COMPATIBILITY_WRITE=1} in the
 * environment it is written anew instead: then review the difference.
 *
 * <p>A section is what stands between {@code ## title} and the next {@code ## }; text in front of
 * its table stays as it is.
 */
public final class CompatibilityPage {

  static final Path PAGE =
      Path.of(
          "..", "docs", DatabaseServers.areMySql() ? "compatibility-mysql.md" : "compatibility.md");

  private CompatibilityPage() {}

  /**
   * A line of a table.
   *
   * @param cells text of Markdown; bars are escaped here
   */
  public record Row(List<String> cells) {
    public Row {
      cells = List.copyOf(cells);
    }

    public static Row of(String... cells) {
      return new Row(List.of(cells));
    }

    private String markdown() {
      return "| "
          + String.join(" | ", cells.stream().map(cell -> cell.replace("|", "\\|")).toList())
          + " |\n";
    }
  }

  /**
   * What the page says in the section {@code title}, and what it should say; equal, or the test
   * fails.
   */
  public static Comparison section(String title, Row head, List<Row> rows) throws IOException {
    var table = new StringBuilder(head.markdown());
    table.append("|").append(" --- |".repeat(head.cells().size())).append('\n');
    rows.forEach(row -> table.append(row.markdown()));
    String page = Files.readString(PAGE, UTF_8);
    int start = page.indexOf("\n## " + title + "\n");
    if (start < 0) {
      throw new IllegalStateException(PAGE + " has no section '" + title + "'");
    }
    int next = page.indexOf("\n## ", start + 1);
    int end = next < 0 ? page.length() : next;
    int old = page.indexOf("\n| ", start);
    int from = old < 0 || old > end ? end : old + 1;
    if (System.getenv("COMPATIBILITY_WRITE") != null) {
      Files.writeString(PAGE, page.substring(0, from) + table + page.substring(end), UTF_8);
      return new Comparison(table.toString(), table.toString());
    }
    return new Comparison(page.substring(from, end), table.toString());
  }

  /** The page's table and the one that was seen. */
  public record Comparison(String written, String seen) {}

  /**
   * What the answers to {@code statements} say together.
   *
   * @param direct answers of the database itself, one per statement
   * @param proxied those of the proxy
   */
  public static Row row(
      String name, List<String> statements, List<Transcript> direct, List<Transcript> proxied) {
    var remarks = new LinkedHashSet<String>();
    boolean refused = false;
    for (int i = 0; i < direct.size(); i++) {
      Transcript there = direct.get(i);
      Transcript here = proxied.get(i);
      if (here.isRefusal()) {
        refused = true;
        remarks.add(here.head().replaceFirst("(?s)^error \\d+ \\w+ (\\(conn=\\d+\\) )?", ""));
      } else if (!here.equals(there)) {
        String which = statements.size() == 1 ? "" : "`" + statements.get(i) + "`: ";
        remarks.add(which + difference(there, here));
      }
    }
    String outcome = remarks.isEmpty() ? "passes" : refused ? "refused" : "differs";
    return Row.of(name, outcome, String.join("; ", remarks));
  }

  private static String difference(Transcript there, Transcript here) {
    if (there.isError() || here.isError()) {
      return oneLine(here.isError() ? here.head() : "succeeds; the server says " + there.head());
    }
    return there.rows().equals(here.rows()) ? "counts or descriptions of columns" : "rows";
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
