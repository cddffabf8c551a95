/**
 * The tables by which proxies share numbers for keys: counters of which each takes blocks, and
 * worker ids that are leased.
 *
 * <p>Start at {@link io.anabranch.backend.keys.KeyService}. May import {@code backend.lease},
 * {@code backend.shard}, {@code backend.topology} and the rules. What talks to databases blocks, on
 * virtual threads.
 */
@NullMarked
package io.anabranch.backend.keys;

import org.jspecify.annotations.NullMarked;
