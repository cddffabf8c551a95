/**
 * What a statement over encrypted columns has become: the text over stored columns, what is sent in
 * the place of each of the client's values, and the plan that binds both.
 *
 * <p>Start at {@link io.anabranch.rules.planner.encrypt.stored.StoredText}. Imports the rooms below
 * {@code rules.planner}. {@code EncryptedPlan} and {@code StoredValues} bind on event loops; the
 * rest is for virtual threads.
 */
@NullMarked
package io.anabranch.rules.planner.encrypt.stored;

import org.jspecify.annotations.NullMarked;
