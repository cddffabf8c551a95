package io.anabranch.rules.algorithm;

import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;

/** Makes keys for rows whose INSERT leaves the key column out. Thread-safe. */
public interface KeyGenerator {

  SqlValue next();

  /**
   * Keys for the rows of one statement. Numbers follow one another without gaps wherever that is
   * possible: drivers tell their callers the first one and count on from there.
   *
   * @param count 1 or more
   */
  default List<SqlValue> next(int count) {
    var keys = new ArrayList<SqlValue>(count);
    for (int i = 0; i < count; i++) {
      keys.add(next());
    }
    return keys;
  }
}
