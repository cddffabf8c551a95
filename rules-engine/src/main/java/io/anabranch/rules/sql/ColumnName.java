package io.anabranch.rules.sql;

import org.jspecify.annotations.Nullable;

/**
 * A column as a statement names it.
 *
 * @param table alias or table that qualifies it; null if nothing does
 */
public record ColumnName(@Nullable String table, String column) {}
