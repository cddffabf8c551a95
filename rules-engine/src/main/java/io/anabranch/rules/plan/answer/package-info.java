/**
 * What clients are told about the answer of a plan before there is one.
 *
 * <p>Start with {@link io.anabranch.rules.plan.answer.AnswerColumns}. May import {@code
 * rules.plan}. Nothing in it changes.
 */
@NullMarked
package io.anabranch.rules.plan.answer;

import org.jspecify.annotations.NullMarked;
