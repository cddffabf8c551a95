package io.anabranch.rules.algorithm;

import io.anabranch.rules.value.SqlValue;

/** Makes keys for rows whose INSERT leaves the key column out. Thread-safe. */
public interface KeyGenerator {

  SqlValue next();
}
