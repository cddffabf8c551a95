package io.anabranch.rules.rewrite;

/**
 * What stands for a sharded table reference in each node, as SQL, encoded once: the actual table's
 * name, or the query of a view.
 */
public final class ShardedNames {

  private final byte[][][] names;

  /**
   * @param names of each table in each of its nodes
   */
  public ShardedNames(byte[][][] names) {
    this.names = names;
  }

  /** Of a statement without sharded tables. */
  public static ShardedNames none() {
    return new ShardedNames(new byte[0][][]);
  }

  byte[] name(int table, int node) {
    return names[table][node];
  }
}
