package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a sharded table as data sources with tables in each. */
public final class NodeLayout {

  private final List<DataNode> nodes;
  private final TargetSet dataSources;
  private final TargetSet[] tables;
  private final int[][] nodeOf;

  public NodeLayout(ShardedTable table) {
    nodes = table.nodes();
    Map<String, List<Integer>> bySource = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      bySource.computeIfAbsent(nodes.get(i).dataSource(), source -> new ArrayList<>()).add(i);
    }
    dataSources = new TargetSet(table.strategySources());
    tables = new TargetSet[bySource.size()];
    nodeOf = new int[bySource.size()][];
    int source = 0;
    for (List<Integer> positions : bySource.values()) {
      tables[source] =
          new TargetSet(positions.stream().map(position -> nodes.get(position).table()).toList());
      nodeOf[source++] = positions.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  public int size() {
    return nodes.size();
  }

  /** Whether no data source has several tables. */
  public boolean hasOneNodePerSource() {
    return nodeOf.length == nodes.size();
  }

  public DataNode node(int node) {
    return nodes.get(node);
  }

  /** Data sources that have nodes. */
  public TargetSet dataSources() {
    return dataSources;
  }

  /** Tables of the data source at that position of {@link #dataSources}. */
  public TargetSet tables(int dataSource) {
    return tables[dataSource];
  }

  /** Position of a node among all. */
  public int node(int dataSource, int table) {
    return nodeOf[dataSource][table];
  }

  public BitSet all() {
    var all = new BitSet(size());
    all.set(0, size());
    return all;
  }

  /** All nodes of a data source; none for {@link ShardingAlgorithm#NO_TARGET}. */
  void addDataSource(int dataSource, BitSet to) {
    if (dataSource != ShardingAlgorithm.NO_TARGET) {
      for (int node : nodeOf[dataSource]) {
        to.set(node);
      }
    }
  }
}
