package io.anabranch.app.convert;

/**
 * A {@code dataNode}: a schema of a {@code dataHost}.
 *
 * @param place file and line
 */
record MycatNode(String name, String host, String schema, String place) {}
