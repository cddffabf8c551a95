package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import java.util.ArrayList;
import java.util.List;

/** A column as an expression has it: by its own name, or as another query gives it. */
record NamedColumn(EncryptedColumn column, boolean isStored) {

  /** What may be compared for equality, the best first. */
  List<Stored> comparable() {
    var all = new ArrayList<Stored>();
    Stored assisted = column.assisted();
    if (isStored && assisted != null) {
      all.add(assisted);
    }
    if (column.cipher().encryptor().isDeterministic()) {
      all.add(column.cipher());
    }
    return all;
  }

  /**
   * What is compared where two encrypted columns are.
   *
   * @throws RefusedException if nothing of both is stored alike
   */
  static Stored[] pair(NamedColumn left, NamedColumn right) {
    for (Stored one : left.comparable()) {
      for (Stored other : right.comparable()) {
        if (one.encryptor().equals(other.encryptor())) {
          return new Stored[] {one, other};
        }
      }
    }
    throw EncryptedPlaces.refused(
        "a comparison with '" + right.column().name() + "', which is stored otherwise",
        left.column(),
        "give both the same assistedQuery encryptor");
  }
}
