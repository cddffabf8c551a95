package io.anabranch.rules.routing.key;

/**
 * A column of one of the tables of a query block.
 *
 * @param table position in the block
 * @param column lower case
 */
public record ColumnKey(int table, String column) {}
