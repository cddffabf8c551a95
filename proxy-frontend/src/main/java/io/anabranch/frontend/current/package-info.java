/**
 * The statement that runs: {@link io.anabranch.frontend.current.CurrentStatement} has its text, how
 * it was planned and how far it is, each in a class of its own; {@link
 * io.anabranch.frontend.current.StatementCourse} is told how it ends, {@link
 * io.anabranch.frontend.current.Interruption} ends it from outside, an {@link
 * io.anabranch.frontend.current.Answer} is what the proxy says itself.
 *
 * <p>Start with {@code CurrentStatement}, which lists its parts: {@code StatementText}, {@code
 * StatementTarget} and so on. May import {@code frontend.session}, {@code frontend.response}, the
 * rules and the backend. State of a session, on its event loop only; interrupting is for any
 * thread.
 */
@NullMarked
package io.anabranch.frontend.current;

import org.jspecify.annotations.NullMarked;
