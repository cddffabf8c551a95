/**
 * What statements leave in their connection that later statements of the session ask for: locks,
 * variables, temporary tables, insert ids, warnings, programs that do any of it.
 *
 * <p>Start with {@link io.anabranch.frontend.effect.Pins} (state that cannot be replayed) and
 * {@link io.anabranch.frontend.effect.Aftermath} (state that is read back); {@link
 * io.anabranch.frontend.effect.Remains} keeps both for the relay lane, {@link
 * io.anabranch.frontend.effect.VariableProbe} asks a connection for variables.
 *
 * <p>May import {@code frontend.current}, {@code frontend.statement} and what is below them. On the
 * session's event loop, but for what says that it blocks.
 */
@NullMarked
package io.anabranch.frontend.effect;

import org.jspecify.annotations.NullMarked;
