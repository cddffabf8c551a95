/**
 * Groups and their aggregates, and what is distinct, over rows that come in order.
 *
 * <p>Start at {@link io.anabranch.backend.merge.group.GroupedAggregate}. Imports {@code
 * backend.row} and the plan language. A stream is used by one thread, the one that runs the
 * statement.
 */
@NullMarked
package io.anabranch.backend.merge.group;

import org.jspecify.annotations.NullMarked;
