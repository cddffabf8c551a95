/**
 * Inline expressions of the configuration: {@code ds_${0..1}.t_order_$->{order_id % 4}}.
 *
 * <p>A closed grammar that covers the part of Groovy which configurations use. Nothing is executed
 * that is not listed in {@link io.anabranch.rules.expression.Methods}: there is no way from a
 * configuration file to code. Arithmetic follows Groovy: int wraps at 32 bits, {@code /} gives a
 * decimal, {@code .intdiv()} an integer.
 *
 * <p>Start at {@link io.anabranch.rules.expression.Template} (text with {@code ${}} parts) and
 * {@link io.anabranch.rules.expression.RowExpression} (lists of names). Imports nothing of the
 * project. Immutable and thread-safe.
 */
@NullMarked
package io.anabranch.rules.expression;

import org.jspecify.annotations.NullMarked;
