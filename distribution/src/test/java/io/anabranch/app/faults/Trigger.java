package io.anabranch.app.faults;

/**
 * The packet that a fault meets.
 *
 * @param stage its name in the tables
 * @param mark what is in the command that it belongs to; empty: the connection has just been made
 * @param after how many packets behind: 0 the command itself, n the nth packet of its answer. Of a
 *     new connection: 0 it is not accepted, 1 the greeting, 2 the login's request, 3 its answer
 */
record Trigger(String stage, String mark, int after) {

  static Trigger onConnection(String stage, int after) {
    return new Trigger(stage, "", after);
  }

  /** No packet: connections are struck while they are idle. */
  static Trigger between() {
    return new Trigger("between commands", "", -1);
  }

  boolean isBetween() {
    return after < 0;
  }

  boolean isOfConnection() {
    return mark.isEmpty() && !isBetween();
  }
}
