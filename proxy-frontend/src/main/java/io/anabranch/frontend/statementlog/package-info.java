/**
 * Logs of statements: slow ones, and those that an audit wants. {@link
 * io.anabranch.frontend.statementlog.StatementLog} is given a {@link
 * io.anabranch.frontend.statementlog.LoggedStatement} by an event loop, which never waits; a thread
 * of its own writes it. {@link io.anabranch.frontend.statementlog.RecentStatements} keeps the last
 * ones in memory.
 *
 * <p>May import {@code frontend.session}, {@code frontend.statement} and the rules.
 */
@NullMarked
package io.anabranch.frontend.statementlog;

import org.jspecify.annotations.NullMarked;
