/**
 * Text to facts: what a query block reads, selects and demands, as immutable records of our own.
 * The only package that imports Druid, and Druid's types do not leave it.
 *
 * <p>Start with {@code SqlParser}; {@code facts} that it returns are plain records. May import
 * {@code rules.lexer}, {@code rules.error}. Single-threaded per statement, no shared state.
 */
@NullMarked
package io.anabranch.rules.sql;

import org.jspecify.annotations.NullMarked;
