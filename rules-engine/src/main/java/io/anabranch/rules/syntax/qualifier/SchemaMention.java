package io.anabranch.rules.syntax.qualifier;

/**
 * A name that is, or may be, a schema's.
 *
 * @param token its token
 * @param isDeclared whether the statement has the name on its own somewhere, too: as a table, or as
 *     an alias, so that it may be that
 */
public record SchemaMention(int token, Reading reading, boolean isDeclared) {

  /** What the place of the name says. */
  public enum Reading {
    /** No other name can stand there. */
    SCHEMA,
    /** A schema's, or that of a table which a column is of. */
    EITHER,
    /** Columns stand there: the name is that of a table or of an alias. */
    COLUMN
  }

  /** Whether it is a schema, as far as anybody can tell. */
  public boolean isSchema() {
    return reading == Reading.SCHEMA || (reading == Reading.EITHER && !isDeclared);
  }

  /** Whether it may be a schema or an alias of that name: only a server knows. */
  public boolean isDoubtful() {
    return reading == Reading.EITHER && isDeclared;
  }
}
