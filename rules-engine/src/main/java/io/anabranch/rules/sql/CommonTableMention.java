package io.anabranch.rules.sql;

/**
 * Where a query reads a table that a WITH clause defines.
 *
 * @param token of the name
 * @param definition the token that defines it
 * @param aliased whether the statement gives it another name there
 */
public record CommonTableMention(int token, int definition, boolean aliased) {}
