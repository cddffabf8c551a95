package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One entry of FROM, or a table that is changed. */
sealed interface Source {

  /** What its columns may be qualified with. */
  String alias();

  /** A table of the database. */
  record Table(
      String alias, @Nullable EncryptedTable encrypted, Supplier<Optional<TableSchema>> schema)
      implements Source {}

  /** A derived table, or a common one. */
  record Derived(String alias, Supplier<List<Output>> outputs) implements Source {}

  /** What nobody looks into: JSON_TABLE. */
  record Unknown(String alias) implements Source {}

  /**
   * A column of a query's answer.
   *
   * @param name null: the server's own for an expression
   * @param column whose ciphertext it holds; null: it holds none
   */
  record Output(@Nullable String name, @Nullable EncryptedColumn column) {}

  /** What a name means in one source. */
  enum Has {
    ENCRYPTED,
    /** Stored for an encrypted column: clients do not see it. */
    STORED,
    PLAIN,
    NONE,
    UNKNOWN
  }

  default Has has(String name) {
    return switch (this) {
      case Table table -> ofTable(table, name);
      case Derived derived -> ofDerived(derived, name);
      case Unknown _ -> Has.UNKNOWN;
    };
  }

  private static Has ofTable(Table table, String name) {
    EncryptedTable encrypted = table.encrypted();
    if (encrypted != null && encrypted.column(name) != null) {
      return Has.ENCRYPTED;
    }
    if (encrypted != null && encrypted.ofStored(name) != null) {
      return Has.STORED;
    }
    Optional<TableSchema> schema = table.schema().get();
    if (schema.isEmpty()) {
      return Has.NONE;
    }
    return schema.get().column(name).isPresent() ? Has.PLAIN : Has.NONE;
  }

  private static Has ofDerived(Derived derived, String name) {
    for (Output output : derived.outputs().get()) {
      if (name.equalsIgnoreCase(output.name())) {
        return output.column() == null ? Has.PLAIN : Has.ENCRYPTED;
      }
    }
    return Has.NONE;
  }

  /** The encrypted column of that name; null: there is none. */
  default @Nullable EncryptedColumn column(String name) {
    return switch (this) {
      case Table table -> {
        EncryptedTable encrypted = table.encrypted();
        yield encrypted == null ? null : encrypted.column(name);
      }
      case Derived derived -> {
        for (Output output : derived.outputs().get()) {
          if (name.equalsIgnoreCase(output.name())) {
            yield output.column();
          }
        }
        yield null;
      }
      case Unknown _ -> null;
    };
  }

  /** Whether its columns are those of the database: an encrypted one has other names there. */
  default boolean isStored() {
    return this instanceof Table;
  }

  /** Whether some of its columns are encrypted. */
  default boolean isEncrypted() {
    return switch (this) {
      case Table table -> table.encrypted() != null;
      case Derived derived ->
          derived.outputs().get().stream().anyMatch(output -> output.column() != null);
      case Unknown _ -> false;
    };
  }
}
