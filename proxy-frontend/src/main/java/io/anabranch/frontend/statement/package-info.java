/**
 * Session statements (SET, USE, BEGIN, KILL …) read into records: text in, facts out; and what else
 * a text tells by itself, such as whether it reads tables at all.
 *
 * <p>Pure functions over {@link io.anabranch.rules.lexer.SqlTokens}; no session, no channel, no
 * I/O, callable on any thread. What a statement does is the business of {@code frontend.local}.
 * Statements that are not of the expected form give null or an "other" record, never an exception:
 * the database then has the word. Start reading at {@link
 * io.anabranch.frontend.statement.SetStatement}.
 */
@NullMarked
package io.anabranch.frontend.statement;

import org.jspecify.annotations.NullMarked;
