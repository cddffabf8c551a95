/**
 * Values that are not in the configuration's files but where these point to: the environment and
 * files of their own; and what is a secret wherever it stands.
 *
 * <p>Start at {@link io.anabranch.rules.secret.Secrets}. Imports `rules.file` and `rules.lexer`.
 * Immutable; any thread. What is read here never gets into a message.
 */
@NullMarked
package io.anabranch.rules.secret;

import org.jspecify.annotations.NullMarked;
