package io.anabranch.backend.shard;

/**
 * What an OK packet says.
 *
 * @param statusFlags of the backend's session
 * @param info human-readable, may be empty
 */
public record ShardOutcome(
    long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {}
