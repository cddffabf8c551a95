/**
 * Every type of the servers in every construct: generated statements over two data sources must
 * answer as one plain database does, values and column definitions.
 *
 * <p>Start with {@code TypesIT}. {@code TypedColumn} lists the types with their values, {@code
 * Constructs} the statements over one column, {@code TypesArena} is a proxy over two schemas and
 * the plain schema beside them, {@code Answer} what a client sees of an answer.
 */
package io.anabranch.app.types;
