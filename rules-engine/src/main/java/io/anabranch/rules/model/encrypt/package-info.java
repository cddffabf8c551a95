/**
 * The rule {@code !ENCRYPT} as the files give it: which columns of which tables are stored
 * encrypted, and how.
 *
 * <p>Start at {@link io.anabranch.rules.model.encrypt.EncryptRule}. Imports {@code
 * rules.algorithm.encrypt}. Immutable; any thread.
 */
@NullMarked
package io.anabranch.rules.model.encrypt;

import org.jspecify.annotations.NullMarked;
