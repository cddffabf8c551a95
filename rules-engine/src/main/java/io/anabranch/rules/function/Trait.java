package io.anabranch.rules.function;

/** What there is to know of a function beside the value that it computes of its arguments. */
public enum Trait {
  /** Makes one value of the rows of a group. */
  AGGREGATE,
  /** Tells the moment at which the statement began, which {@code SET timestamp} decides. */
  MOMENT,
  /** Tells the moment at which it is called: no setting decides it. */
  CLOCK,
  /** Has another value at each call. */
  RANDOM,
  /** Belongs to the session or its connection: another one has another value. */
  SESSION,
  /** Depends on the server: its version, files, other settings than those of sessions. */
  SERVER,
  /** Draws from sequences, or tells what was drawn. */
  SEQUENCE,
  /** Takes, gives back or asks for locks by names. */
  LOCK,
  /** Not for a replica: it changes something, waits for something, or tells of earlier writes. */
  PRIMARY,
  /** Reads no tables and changes nothing: in a statement without FROM no table is used. */
  TABLELESS,
  /** May be a stored function or a loaded one: nobody knows what it does. */
  UNKNOWN
}
