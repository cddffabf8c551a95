/**
 * What a session keeps between its statements, and nobody else sees: variables, the database of
 * USE, temporary tables, locks, sequences, warnings and counts. Start with {@code SessionIT}. What
 * sessions that share connections may not do to each other is in {@code connection}.
 */
@NullMarked
package io.anabranch.app.session;

import org.jspecify.annotations.NullMarked;
