package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowLiterals;
import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.TableProbe;
import io.anabranch.rules.plan.TableProbe.Finding;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of CHECK TABLE … ACROSS SHARDS: its probes run one after the other, when rows are asked for.
 * Each table ends with its status.
 */
final class TableCheck implements RowStream {

  private static final String OPERATION = "check";

  private final StreamTree tree;
  private final RowFormat format;
  private final List<ResultColumn> columns;
  private final RowEncoder encoder;
  private final Deque<TableProbe> probes;
  private final Deque<byte[]> rows = new ArrayDeque<>();
  private int problems;

  TableCheck(PlanNode.TableCheck check, StreamTree tree, RowFormat format) {
    this.tree = tree;
    this.format = format;
    columns = check.columns();
    encoder = new RowEncoder(columns, format);
    probes = new ArrayDeque<>(check.probes());
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public byte @Nullable [] next() {
    while (rows.isEmpty() && !probes.isEmpty()) {
      run(probes.remove());
    }
    return rows.poll();
  }

  private void run(TableProbe probe) {
    TableProbe.Reading reading = probe.reading().get();
    PlanNode asked = probe.rows();
    if (asked != null) {
      try (RowStream answer = tree.build(asked)) {
        var cells = new RowLiterals(answer.columns(), format);
        for (byte[] row = answer.next(); row != null; row = answer.next()) {
          cells.read(row);
          reading.row(cells::value);
        }
      }
    }
    for (Finding finding : reading.findings()) {
      problems += finding.type().equals("error") ? 1 : 0;
      add(probe.table(), finding.type(), finding.text());
    }
    TableProbe further = reading.next();
    if (further != null) {
      probes.addFirst(further);
    }
    TableProbe following = probes.peek();
    if (following == null || !following.table().equals(probe.table())) {
      add(probe.table(), "status", problems == 0 ? "OK" : "found " + problems + " problem(s)");
      problems = 0;
    }
  }

  private void add(String table, String type, String text) {
    encoder.begin();
    encoder.addText(table);
    encoder.addText(OPERATION);
    encoder.addText(type);
    encoder.addText(text);
    rows.add(encoder.finish());
  }

  @Override
  public void close() {
    probes.clear();
    rows.clear();
  }
}
