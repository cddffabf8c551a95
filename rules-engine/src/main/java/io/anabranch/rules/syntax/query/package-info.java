/**
 * Where the parts of a query stand, found by its tokens: the clauses and items of each SELECT, the
 * parts of a condition.
 *
 * <p>Start with {@link io.anabranch.rules.syntax.query.SelectSpans}, which has every SELECT of a
 * statement, and {@link io.anabranch.rules.syntax.query.SelectLayout} for a plain one. {@link
 * io.anabranch.rules.syntax.query.TokenFacts} takes the parser's place for what it does not take.
 * Which names are tables' by their place says {@link io.anabranch.rules.syntax.query.TablePlaces},
 * to all.
 *
 * <p>May import what {@code rules.syntax} may, and that. Everything is made for one statement, on
 * the thread that plans it.
 */
@NullMarked
package io.anabranch.rules.syntax.query;

import org.jspecify.annotations.NullMarked;
