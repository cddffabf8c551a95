package io.anabranch.rules.config.global;

import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.account.StoredAccounts.Role;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.ClientProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code authority.accountStore}: who is asked about names that are not among the users. */
final class AccountStoreReader {

  private static final int TIMEOUT_MILLISECONDS = 5000;
  private static final int LONGEST_MILLISECONDS = 3_600_000;
  private static final int CONCURRENT = 16;
  private static final int MOST_CONCURRENT = 1000;

  private final AlgorithmReader algorithms;
  private @Nullable Section section;
  private int timeoutMilliseconds;

  AccountStoreReader(AlgorithmReader algorithms) {
    this.algorithms = algorithms;
  }

  /**
   * @param written null: there is none
   * @param users whose rights its accounts may have
   * @return null: there is none, or it is reported
   */
  @Nullable StoredAccounts read(@Nullable Section written, List<User> users) {
    section = written;
    if (written == null) {
      return null;
    }
    timeoutMilliseconds =
        written.integer("timeoutMilliseconds", TIMEOUT_MILLISECONDS, 1, LONGEST_MILLISECONDS);
    int concurrent = written.integer("maxConcurrent", CONCURRENT, 1, MOST_CONCURRENT);
    List<Role> roles = roles(written, users);
    return algorithms.read(
        written,
        algorithms.stores().types(),
        (type, properties) ->
            new StoredAccounts(
                algorithms.stores().store(type, properties),
                type,
                properties,
                timeoutMilliseconds,
                concurrent,
                roles));
  }

  private static List<Role> roles(Section written, List<User> users) {
    Set<String> names = users.stream().map(User::name).collect(Collectors.toSet());
    var roles = new ArrayList<Role>();
    Section section = written.section("roles");
    if (section != null) {
      for (Map.Entry<String, Value> entry : section.entries().entrySet()) {
        String user = entry.getValue().text();
        if (user == null || names.stream().noneMatch(user::equalsIgnoreCase)) {
          entry
              .getValue()
              .error(
                  "there is no user `" + user + "`",
                  user == null ? null : NearestName.suggestion(user, names));
        } else {
          roles.add(new Role(entry.getKey(), user));
        }
      }
    }
    if (section == null || section.isEmpty()) {
      written
          .problems()
          .error(
              written.keyPlace("roles"),
              "there are no roles, none of its accounts could log in",
              "write group: user, or \"*\": user for all of them");
    }
    return roles;
  }

  /** Reported once all properties are known: what would keep everybody out. */
  void check(ClientProperties clients) {
    Section written = section;
    if (written == null) {
      return;
    }
    if (!clients.tls().enabled()) {
      written.error(
          "an account store needs the passwords themselves, which clients send over TLS only",
          "set proxy-frontend-ssl-enabled: true");
    }
    long handshake = TimeUnit.SECONDS.toMillis(clients.limits().handshakeTimeoutSeconds());
    if (timeoutMilliseconds >= handshake) {
      written
          .problems()
          .error(
              written.keyPlace("timeoutMilliseconds"),
              "%d ms are not less than the %d ms that a client has to log in"
                  .formatted(timeoutMilliseconds, handshake),
              "raise proxy-frontend-handshake-timeout, or lower it");
    }
  }
}
