package io.anabranch.backend.registry;

/**
 * What one proxy of a cluster asks another.
 *
 * @param id the registry's
 * @param member who is asked
 */
public record MemberQuestion(String id, String member, String text) {}
