/**
 * Which data nodes a statement touches: conditions of {@code rules.sql} compiled for one sharded
 * table into filters that are bound to slot values.
 *
 * <p>The law: a route is never too small. What is not surely understood restricts nothing. Start
 * with {@link io.anabranch.rules.routing.TableRoute}. May import {@code rules.model}, {@code
 * rules.algorithm}, {@code rules.sql}, {@code rules.plan} and {@code rules.value}. Everything here
 * is immutable once made and is bound on event loops.
 */
@NullMarked
package io.anabranch.rules.routing;

import org.jspecify.annotations.NullMarked;
