package io.anabranch.frontend.auth;

import io.anabranch.rules.model.Authority;
import java.util.Map;

/**
 * A client whose password was right.
 *
 * @param user its account
 * @param name as the client wrote it
 * @param address where it comes from, without port
 * @param database to use, it exists and is permitted; empty for none
 * @param capabilities that both sides have
 * @param collation id that the client asked for; 0 when it did not say
 * @param attributes the client's description of itself
 * @param zstdLevel of compression that the client wishes; 0 when it did not say
 */
public record Login(
    Authority.User user,
    String name,
    String address,
    String database,
    long capabilities,
    int collation,
    Map<String, String> attributes,
    int zstdLevel) {}
