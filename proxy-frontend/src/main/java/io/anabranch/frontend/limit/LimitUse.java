package io.anabranch.frontend.limit;

import org.jspecify.annotations.Nullable;

/**
 * What one subject has of one limit now.
 *
 * @param subject the user or the database; null where all have the limit together
 * @param allowed in the kind's unit: a number, a number per second, or milliseconds
 * @param inUse negative for what is not counted
 * @param waiting negative for what nobody waits for
 * @param reached how often it was too much, since the limit is in force
 */
public record LimitUse(
    String limit,
    LimitKind kind,
    @Nullable String subject,
    long allowed,
    long inUse,
    long waiting,
    long reached) {}
