/**
 * Where the parts of a statement stand, found by its tokens: the tables and lists of INSERT,
 * UPDATE, DELETE, LOAD DATA, DDL, LOCK TABLES and triggers. Queries have the room {@code query}.
 *
 * <p>Start with {@link io.anabranch.rules.syntax.TableMention}; each {@code …Syntax} is one kind of
 * statement. {@link io.anabranch.rules.syntax.Marking} writes what the parser is given, {@link
 * io.anabranch.rules.syntax.TextEdits} replaces tokens of a text. Nothing here knows what a name
 * means.
 *
 * <p>May import {@code rules.sql}, {@code rules.plan}, {@code rules.function}, {@code rules.lexer},
 * {@code rules.effort} and {@code rules.error}. Everything is made for one statement, on the thread
 * that plans it.
 */
@NullMarked
package io.anabranch.rules.syntax;

import org.jspecify.annotations.NullMarked;
