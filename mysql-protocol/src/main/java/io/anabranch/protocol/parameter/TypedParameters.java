package io.anabranch.protocol.parameter;

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
}
