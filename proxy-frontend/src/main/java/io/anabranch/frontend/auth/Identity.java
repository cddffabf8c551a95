package io.anabranch.frontend.auth;

import io.anabranch.rules.model.Authority;
import java.util.Map;

/**
 * Who a client is and what was negotiated with it.
 *
 * @param name as the client wrote it
 * @param host the client's address
 * @param port of that address; 0 if it is not known
 * @param collation id that the client asked for
 * @param attributes the client's description of itself
 */
public record Identity(
    Authority.User user,
    String name,
    String host,
    int port,
    long capabilities,
    int collation,
    Map<String, String> attributes) {

  /** A client that does not describe itself. */
  public Identity(Authority.User user, String name, String host, long capabilities, int collation) {
    this(user, name, host, 0, capabilities, collation, Map.of());
  }
}
