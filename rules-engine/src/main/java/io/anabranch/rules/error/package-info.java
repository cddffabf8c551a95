/**
 * The errors that the proxy itself answers with: {@link io.anabranch.rules.error.ErrorCatalogue}
 * lists them with number, SQLSTATE, text and way out, {@link
 * io.anabranch.rules.error.RefusedException} carries one to the session.
 *
 * <p>{@link io.anabranch.rules.error.NotMergeableException} is none that a client sees: it ends an
 * attempt to plan, and its {@link io.anabranch.rules.error.Refusal} says why, to whoever tries the
 * next way. Imports nothing; everything is immutable.
 */
@NullMarked
package io.anabranch.rules.error;

import org.jspecify.annotations.NullMarked;
