package io.anabranch.rules.config.outline;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A part of a file. */
sealed interface OutlineNode {

  /**
   * A value.
   *
   * @param shown what may be told to people
   * @param whole as it is written; may be a secret
   * @param found the same with what it refers to, as it was when the file was read
   */
  record Leaf(String shown, String whole, String found) implements OutlineNode {

    /** Without the secret. */
    @Override
    public String toString() {
      return shown;
    }
  }

  /**
   * Values and further parts by name, in the file's order; those of a list by what they are.
   *
   * @param parts may be in another order where it says the same
   * @param order of their names, where it says something; empty otherwise
   */
  record Branch(Map<String, OutlineNode> parts, List<String> order) implements OutlineNode {

    /** Of parts whose order says nothing. */
    Branch(Map<String, OutlineNode> parts) {
      this(parts, List.of());
    }

    public Branch {
      parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
      order = List.copyOf(order);
    }
  }
}
