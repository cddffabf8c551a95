package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.model.Authority;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An account as statements name it: {@code 'name'@'host'}. As in files, case is of no account.
 *
 * @param host a pattern; {@code %} where none is named
 */
public record Account(String name, String host) {

  /** Of files: {@code name@host}, or the name alone. */
  static Account of(String text) {
    int at = text.lastIndexOf('@');
    String host = at < 0 ? "" : text.substring(at + 1).strip();
    return new Account(at < 0 ? text : text.substring(0, at), host.isEmpty() ? "%" : host);
  }

  /** Of a user that logs in. */
  public static Account of(Authority.User user) {
    return new Account(user.name(), user.host());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Account account && key().equals(account.key());
  }

  @Override
  public int hashCode() {
    return key().hashCode();
  }

  private String key() {
    return (name + "@" + host).toLowerCase(Locale.ROOT);
  }

  /** The user of the proxy that has it; null: there is none. */
  public Authority.@Nullable User user(Authority authority) {
    return authority.users().stream().filter(user -> equals(of(user))).findFirst().orElse(null);
  }

  /** As errors name it. */
  String quoted() {
    return "'" + name + "'@'" + host + "'";
  }

  /** As files name it. */
  @Override
  public String toString() {
    return name + "@" + host;
  }
}
