package io.anabranch.frontend.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a session does, as SHOW PROCESSLIST shows it.
 *
 * @param host the client's address and port
 * @param database null when none is selected
 * @param command {@code Sleep}, {@code Query}, …
 * @param seconds since that began
 * @param nanos the same in nanoseconds
 * @param info the statement; null when idle
 * @param attributes the client's description of itself
 */
public record Activity(
    int id,
    String user,
    String host,
    @Nullable String database,
    String command,
    long seconds,
    long nanos,
    @Nullable RunningText info,
    Map<String, String> attributes) {}
