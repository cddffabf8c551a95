/**
 * Where the parts of a statement stand, found by its tokens: clauses of a SELECT, the tables and
 * lists of INSERT, UPDATE, DELETE, LOAD DATA, DDL, LOCK TABLES and triggers.
 *
 * <p>Start with {@link io.anabranch.rules.syntax.SelectLayout} and {@link
 * io.anabranch.rules.syntax.TableMention}; each {@code …Syntax} is one kind of statement. {@link
 * io.anabranch.rules.syntax.Marking} writes what the parser is given, {@link
 * io.anabranch.rules.syntax.TokenFacts} takes its place for what it does not take. Nothing here
 * knows what a name means.
 *
 * <p>May import {@code rules.sql}, {@code rules.plan}, {@code rules.function}, {@code rules.lexer},
 * {@code rules.effort} and {@code rules.error}. Everything is made for one statement, on the thread
 * that plans it.
 */
@NullMarked
package io.anabranch.rules.syntax;

import org.jspecify.annotations.NullMarked;
