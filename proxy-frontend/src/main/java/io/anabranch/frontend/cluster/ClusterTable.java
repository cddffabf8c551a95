package io.anabranch.frontend.cluster;

import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of the schema {@code anabranch} over all proxies of the cluster, {@code cluster_sessions}
 * for {@code sessions}: the first column says whose row it is.
 */
public final class ClusterTable implements VirtualTable {

  /** Asks for the rows of a table: its name. */
  public static final String ROWS = "rows";

  /** Answers: they do not fit into a message. */
  public static final String TOO_MANY = "too many";

  private static final String PREFIX = "cluster_";
  private static final int PLACE = 255;

  private final VirtualTable own;
  private final Supplier<String> place;
  private final ClusterPeers peers;
  private final List<VirtualColumn> columns;

  /**
   * @param place this proxy's host and port
   */
  public ClusterTable(VirtualTable own, Supplier<String> place, ClusterPeers peers) {
    this.own = own;
    this.place = place;
    this.peers = peers;
    var all = new ArrayList<VirtualColumn>();
    all.add(VirtualColumn.text("proxy", PLACE));
    all.addAll(own.columns());
    this.columns = List.copyOf(all);
  }

  /** What asks for a table's rows. */
  private static Message question(String table) {
    return Message.of(ROWS, table);
  }

  /** What answers it. */
  public static Message answer(VirtualTable table) {
    var fields = new ArrayList<@Nullable String>();
    fields.add(ROWS);
    fields.add(Integer.toString(table.columns().size()));
    table.fittingRows().forEach(fields::addAll);
    return new Message(fields);
  }

  @Override
  public String name() {
    return PREFIX + own.name();
  }

  @Override
  public List<VirtualColumn> columns() {
    return columns;
  }

  /** Those of this proxy first. Whoever does not answer is an error, not a gap. */
  @Override
  public List<List<@Nullable String>> rows() {
    var rows = new ArrayList<List<@Nullable String>>();
    for (List<@Nullable String> row : own.rows()) {
      rows.add(of(place.get(), row));
    }
    for (ClusterPeers.Answer each : peers.ask(question(own.name()))) {
      Message answer = each.answer();
      boolean isWhole =
          answer != null
              && answer.what().equals(ROWS)
              && answer.text(1).equals(Integer.toString(own.columns().size()));
      if (answer == null || !isWhole) {
        throw ErrorCatalogue.PROXY_SILENT.refuse(each.proxy(), why(answer));
      }
      add(each.proxy(), answer.fields(), rows);
    }
    return rows;
  }

  private String why(@Nullable Message answer) {
    if (answer == null) {
      return "does not answer";
    }
    return answer.what().equals(TOO_MANY)
        ? "has more rows than fit into a message: ask it for " + own.name() + " itself"
        : "is of another version, which has another table " + own.name();
  }

  private void add(String proxy, List<@Nullable String> cells, List<List<@Nullable String>> rows) {
    int width = own.columns().size();
    for (int first = 2; first + width <= cells.size(); first += width) {
      rows.add(of(proxy, cells.subList(first, first + width)));
    }
  }

  private static List<@Nullable String> of(String proxy, List<@Nullable String> row) {
    var cells = new ArrayList<@Nullable String>(row.size() + 1);
    cells.add(proxy);
    cells.addAll(row);
    return cells;
  }
}
