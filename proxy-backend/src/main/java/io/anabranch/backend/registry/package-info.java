/**
 * What the proxies of a cluster know together: revisions of the configuration, and who is there.
 *
 * <p>Start at {@link io.anabranch.backend.registry.ClusterRegistry}; {@link
 * io.anabranch.backend.registry.JdbcRegistry} keeps it in the tables of a database, and a {@link
 * io.anabranch.backend.registry.RegistryProvider} brings another store: what is asked of it is one
 * ordered list of revisions that takes each number once, and rows that expire.
 *
 * <p>Imports {@code backend.pool.address}, {@code rules.model} and {@code rules.config.yaml}. All
 * of it blocks and is thread-safe; nothing of it runs on an event loop.
 */
@NullMarked
package io.anabranch.backend.registry;

import org.jspecify.annotations.NullMarked;
