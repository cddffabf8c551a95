package io.anabranch.rules.model.encrypt;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column that clients see and the database does not have: it has others in its place.
 *
 * @param name as clients call it
 * @param cipher what is read; its encryptor has a way back
 * @param assisted what is compared for equality, deterministic; null: the cipher is, if at all
 * @param like what is compared by LIKE; null: nothing is
 * @param isWhole whether that is all that is stored for a value; a view may have less of it than
 *     its table, which is read there and not written: the rest would be of another value
 */
public record EncryptedColumn(
    String name, Stored cipher, @Nullable Stored assisted, @Nullable Stored like, boolean isWhole) {

  /** Of a table. */
  public EncryptedColumn(
      String name, Stored cipher, @Nullable Stored assisted, @Nullable Stored like) {
    this(name, cipher, assisted, like, true);
  }

  /**
   * A column of the database.
   *
   * @param encryptor one instance for each definition: columns with the same one can be compared
   */
  public record Stored(String name, Encryptor encryptor) {

    /** Without the encryptor. */
    @Override
    public String toString() {
      return name;
    }
  }

  /** The cipher column first. */
  public List<Stored> stored() {
    var all = new ArrayList<Stored>();
    all.add(cipher);
    if (assisted != null) {
      all.add(assisted);
    }
    if (like != null) {
      all.add(like);
    }
    return List.copyOf(all);
  }

  /** What tells whether two values are equal; null: nothing does. */
  public @Nullable Stored equality() {
    if (assisted != null) {
      return assisted;
    }
    return cipher.encryptor().isDeterministic() ? cipher : null;
  }
}
