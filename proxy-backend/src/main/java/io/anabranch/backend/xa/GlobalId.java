package io.anabranch.backend.xa;

import org.jspecify.annotations.Nullable;

/**
 * The name of a distributed transaction, which says who made it: {@code
 * cluster-code.node.life.number}.
 *
 * @param cluster the cluster's name and code
 * @param incarnation node and life: one process from its registration to its end
 * @param number counted by the process, in base 36
 */
record GlobalId(String cluster, String incarnation, String number) {

  static GlobalId of(String cluster, String incarnation, long number) {
    return new GlobalId(cluster, incarnation, Long.toString(number, 36));
  }

  /** Null if it is none of that cluster's. */
  static @Nullable GlobalId parse(String text, String cluster) {
    int first = text.indexOf('.');
    int last = text.lastIndexOf('.');
    if (first < 0 || first == last || !text.substring(0, first).equals(cluster)) {
      return null;
    }
    return new GlobalId(cluster, text.substring(first + 1, last), text.substring(last + 1));
  }

  @Override
  public String toString() {
    return cluster + '.' + incarnation + '.' + number;
  }
}
