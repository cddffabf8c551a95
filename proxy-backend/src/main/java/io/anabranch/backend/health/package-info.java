/**
 * Asks every data source how it is, on a small connection of its own, and tells {@code
 * backend.topology}.
 *
 * <p>Start at {@link io.anabranch.backend.health.HealthWatch}. What is asked depends on how the
 * group is replicated: an {@link io.anabranch.backend.health.Inquiry} each. The connections come
 * from whoever implements {@link io.anabranch.backend.health.Asker}, so that inquiries are tested
 * on recorded answers.
 *
 * <p>Imports {@code backend.topology} and {@code rules.model}. One virtual thread per data source.
 */
@NullMarked
package io.anabranch.backend.health;

import org.jspecify.annotations.NullMarked;
