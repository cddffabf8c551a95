/**
 * The readers of a database's file: data sources, groups of replicas, and the rules of sharded
 * tables.
 *
 * <p>Start at {@link io.anabranch.rules.config.database.DatabaseReader}. Imports {@code
 * rules.config.yaml}, {@code rules.model} and {@code rules.algorithm}. Single-threaded.
 */
@NullMarked
package io.anabranch.rules.config.database;

import org.jspecify.annotations.NullMarked;
