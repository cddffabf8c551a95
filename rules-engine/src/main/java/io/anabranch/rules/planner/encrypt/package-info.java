/**
 * Statements over tables with encrypted columns: a client's text becomes a text over the columns
 * that the database has, which is then planned as any other; values are encrypted when it is bound,
 * rows decrypted on their way back.
 *
 * <p>Start at {@link io.anabranch.rules.planner.encrypt.EncryptPlanner}. What is understood is a
 * closed list: a name of an encrypted table or column in any other place is refused. Imports the
 * rooms below {@code rules.planner}. Stateless; virtual threads, but for those of {@code
 * encrypt.stored}.
 */
@NullMarked
package io.anabranch.rules.planner.encrypt;

import org.jspecify.annotations.NullMarked;
