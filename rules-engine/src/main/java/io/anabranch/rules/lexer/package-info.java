/**
 * Bytes of SQL to a fingerprint, slots and tokens, without a grammar.
 *
 * <p>Start with {@link io.anabranch.rules.lexer.SqlScanner}: one pass over the bytes fills a {@link
 * io.anabranch.rules.lexer.Scan}. {@link io.anabranch.rules.lexer.SourceText} is the same statement
 * as planning sees it, decoded and cut into {@link io.anabranch.rules.lexer.SqlTokens} by the same
 * pass, so that slot numbers always agree; {@link io.anabranch.rules.lexer.TokenRange} is a part of
 * them that is searched.
 *
 * <p>Imports nothing but the JDK. A scanner and its scan belong to one session and are used on its
 * event loop; everything else is immutable.
 */
@NullMarked
package io.anabranch.rules.lexer;

import org.jspecify.annotations.NullMarked;
