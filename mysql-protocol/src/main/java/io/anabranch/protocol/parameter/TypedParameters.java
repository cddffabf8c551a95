package io.anabranch.protocol.parameter;

import org.jspecify.annotations.Nullable;

/** The parameters of one execution, as far as their types go. */
public interface TypedParameters {

  int count();

  /** One of {@link ParameterKind}; {@link ParameterKind#NULL} for a value that is NULL. */
  byte kind(int parameter);

  /**
   * The value of a {@link ParameterKind#TEXT} or {@link ParameterKind#BYTES} as a number.
   *
   * @see NumberText
   */
  NumberText number(int parameter);

  /**
   * The beginning of a string, or a number in decimal, as far as it is enough to tell times.
   *
   * @return null: another value, or a number that is not written so
   */
  @Nullable String written(int parameter);
}
