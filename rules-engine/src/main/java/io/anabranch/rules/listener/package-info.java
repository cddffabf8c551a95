/**
 * The SPI of who hears of statements that have ended: {@link
 * io.anabranch.rules.listener.FinishedStatementListenerProvider}. {@link
 * io.anabranch.rules.listener.ListenerCatalogue} knows their types, a {@link
 * io.anabranch.rules.listener.ListenerDefinition} is what a configuration says of one.
 *
 * <p>Who runs them is {@code frontend.statementlog}. May import {@code rules.algorithm.plugin}.
 */
@NullMarked
package io.anabranch.rules.listener;

import org.jspecify.annotations.NullMarked;
