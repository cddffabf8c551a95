package io.anabranch.rules.plan.slot;

import org.jspecify.annotations.Nullable;

/**
 * What a database gets for one parameter marker of a statement that is not the client's own.
 *
 * @param parameter of the client's, from 0
 * @param isReplaced whether {@code text} goes in the place of the client's value
 * @param text null: NULL, where it is replaced
 */
public record SentValue(int parameter, boolean isReplaced, @Nullable String text) {

  /** Without the value. */
  @Override
  public String toString() {
    return "SentValue[" + parameter + "]";
  }
}
