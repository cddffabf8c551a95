package io.anabranch.app.encrypt;

import io.anabranch.rules.algorithm.encrypt.Encryptor.Decryptor;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is to be stored for a plain value. For one thread.
 *
 * @param column with a way back
 * @param decryptor that of its cipher
 */
record StoredRow(EncryptedColumn column, Decryptor decryptor) {

  /**
   * Whether all that is stored is that of the plain value.
   *
   * @param stored in the order of {@link EncryptedColumn#stored}
   */
  boolean isOf(@Nullable String plain, List<@Nullable String> stored) {
    List<Stored> columns = column.stored();
    for (int i = 0; i < columns.size(); i++) {
      if (!isOf(plain, stored.get(i), columns.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isOf(@Nullable String plain, @Nullable String stored, Stored place) {
    if (plain == null || stored == null) {
      return plain == null && stored == null;
    }
    if (!place.equals(column.cipher())) {
      return stored.equals(place.encryptor().encrypt(plain));
    }
    try {
      return decryptor.decrypt(stored).equals(plain);
    } catch (IllegalArgumentException _) {
      // something else is there: it is written over
      return false;
    }
  }

  /**
   * Whether a value can be read that is another one than the plain value: it may be newer, and be
   * nowhere else.
   *
   * @param stored in the order of {@link EncryptedColumn#stored}
   */
  boolean hasOther(@Nullable String plain, List<@Nullable String> stored) {
    String cipher = stored.get(column.stored().indexOf(column.cipher()));
    if (cipher == null) {
      return false;
    }
    try {
      return !decryptor.decrypt(cipher).equals(plain);
    } catch (IllegalArgumentException _) {
      // no value of the rule's
      return false;
    }
  }

  /** In the order of {@link EncryptedColumn#stored}. */
  List<@Nullable String> of(@Nullable String plain) {
    return column.stored().stream()
        .<@Nullable String>map(
            place ->
                plain == null ? null : place.encryptor().encrypt(Objects.requireNonNull(plain)))
        .toList();
  }
}
