package io.anabranch.rules.error;

/**
 * Why a statement is not answered over several nodes.
 *
 * @param construct what the client wrote, in words
 * @param wayOut what to do instead
 */
public record Refusal(String construct, String wayOut) {}
