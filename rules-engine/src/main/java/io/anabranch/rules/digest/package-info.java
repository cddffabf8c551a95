/**
 * Statements without their values: {@link io.anabranch.rules.digest.DigestText} as statistics tell
 * them, {@link io.anabranch.rules.digest.StatementDigest} as rules that people write name them.
 *
 * <p>May import {@code rules.lexer}. Nothing here keeps state.
 */
@NullMarked
package io.anabranch.rules.digest;

import org.jspecify.annotations.NullMarked;
