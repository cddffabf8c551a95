/**
 * What tables are: definitions as servers tell them, what differs between those of the parts of one
 * table, which keys hold over shards, and what an ALTER TABLE does to a column.
 *
 * <p>Start with {@link io.anabranch.rules.definition.TableDefinition}. Imports {@code lexer},
 * {@code model} and {@code sql}; asks nobody, so that everything here runs on any thread.
 */
@NullMarked
package io.anabranch.rules.definition;

import org.jspecify.annotations.NullMarked;
