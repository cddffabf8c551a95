package io.anabranch.rules.catalog;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tables of numbers that MariaDB has under names like {@code seq_1_to_10_step_3} without listing
 * them. Every MariaDB has the same ones; MySQL, asked for one, says 1146.
 *
 * <p>See <a href="https://mariadb.com/kb/en/sequence-storage-engine/">Sequence Storage Engine</a>.
 */
public final class SequenceTables {

  /** Digits of an unsigned BIGINT; the server knows no capital letters here. */
  private static final Pattern NAME =
      Pattern.compile("seq_\\d{1,20}_to_\\d{1,20}(?:_step_\\d{1,20})?");

  private static final List<Column> COLUMNS =
      List.of(new Column("seq", "bigint(20) unsigned", null, false, false));

  private SequenceTables() {}

  /** What a table of this name would look like; empty if no such table may have it. */
  public static Optional<TableSchema> find(String name) {
    return NAME.matcher(name).matches()
        ? Optional.of(new TableSchema(name, COLUMNS))
        : Optional.empty();
  }
}
