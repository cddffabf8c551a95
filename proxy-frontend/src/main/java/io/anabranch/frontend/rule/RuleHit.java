package io.anabranch.frontend.rule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A statement that has met a rule.
 *
 * @param database null: none was selected
 * @param digest 32 hexadecimal digits
 */
public record RuleHit(
    Instant when, String user, String client, @Nullable String database, String digest) {}
