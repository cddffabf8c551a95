package io.anabranch.rules.sql;

import org.jspecify.annotations.Nullable;

/**
 * A table that a FROM, UPDATE or DELETE names.
 *
 * @param block number of its query block
 * @param nameToken token of the name; -1 if the name is not one of the known ones
 * @param qualifierToken token of the database in front of it; -1 if there is none that is known
 * @param qualifier database in front of it, as written; null if there is none
 * @param name as written, without quotes
 * @param alias what columns are qualified with: the alias, or the name
 * @param aliased whether the statement gives it an alias
 * @param partitioned whether PARTITION (…) follows
 */
public record TableRef(
    int block,
    int nameToken,
    int qualifierToken,
    @Nullable String qualifier,
    String name,
    String alias,
    boolean aliased,
    boolean partitioned) {}
