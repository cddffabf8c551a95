/**
 * The SPI of what makes a statement one of a load test by the values of a column.
 *
 * <p>Start at {@link io.anabranch.rules.algorithm.shadow.ShadowMatcherProvider}. Imports nothing of
 * the house. Matchers are asked by all threads, event loops among them.
 */
@NullMarked
package io.anabranch.rules.algorithm.shadow;

import org.jspecify.annotations.NullMarked;
