/**
 * What a server makes of a prepared statement's text and of the types of its parameters, as far as
 * that decides which executions may share one statement of a connection.
 *
 * <p>Start with {@link io.anabranch.backend.prepared.MarkerTypes}. Imports {@code
 * protocol.parameter}, {@code protocol.command}, {@code rules.lexer}, {@code rules.plan}. Used on
 * the event loop of a connection.
 */
@NullMarked
package io.anabranch.backend.prepared;

import org.jspecify.annotations.NullMarked;
