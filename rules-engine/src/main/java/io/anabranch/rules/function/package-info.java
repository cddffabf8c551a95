/**
 * What the functions of MariaDB and MySQL are, told once: aggregates, those that differ by call, by
 * session or by server, those that tell the time, draw from sequences, take locks.
 *
 * <p>Start with {@link io.anabranch.rules.function.SqlFunctions}, the table; {@link
 * io.anabranch.rules.function.FunctionUses} finds what a statement's tokens call. A function that
 * the table does not have may do anything ({@link io.anabranch.rules.function.Trait#UNKNOWN}), and
 * no other package keeps a list of such names.
 *
 * <p>Imports {@code rules.lexer} only. Everything is immutable.
 */
@NullMarked
package io.anabranch.rules.function;

import org.jspecify.annotations.NullMarked;
