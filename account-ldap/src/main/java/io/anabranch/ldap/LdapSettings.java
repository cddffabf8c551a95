package io.anabranch.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the {@code props} of an LDAP store say.
 *
 * @param servers of one directory, in the order in which they are tried
 * @param userDnPattern with {@code {user}}; empty: the entry is searched for
 * @param searchDn who searches; empty: for groups, whoever logs in
 * @param groupBase empty: accounts have no groups
 */
record LdapSettings(
    List<Server> servers,
    Protection protection,
    Trust trust,
    int connectMilliseconds,
    int responseMilliseconds,
    String userDnPattern,
    String userBase,
    String userFilter,
    String searchDn,
    String searchPassword,
    String groupBase,
    String groupFilter,
    String groupAttribute) {

  static final String USER = "{user}";
  static final String DN_OF_USER = "{dn}";

  /** How passwords are kept from who reads along. */
  enum Protection {
    LDAPS,
    START_TLS,
    /** Not at all: a directory of the same machine. */
    NONE
  }

  record Server(String host, int port) {}

  private static final int CONNECT = 2000;
  private static final int RESPONSE = 3000;
  private static final int LONGEST = 60_000;
  private static final int LDAP_PORT = 389;
  private static final int LDAPS_PORT = 636;

  /**
   * @throws io.anabranch.rules.algorithm.InvalidPropertiesException with everything that is wrong
   */
  static LdapSettings of(Map<String, String> properties) {
    var props = new AlgorithmProperties(properties);
    var schemes = new TreeSet<String>();
    List<Server> servers = servers(props, schemes);
    Protection protection = protection(props, schemes);
    String pattern = props.text("user-dn-pattern", "");
    String base = props.text("user-base", "");
    if (pattern.isEmpty() == base.isEmpty()) {
      props.problem(
          "user-base", "either user-base, where entries are searched for, or user-dn-pattern");
    }
    String filter = props.text("user-filter", "(uid={user})");
    String searchDn = props.text("search-dn", "");
    if (searchDn.isEmpty() && !base.isEmpty()) {
      props.problem("search-dn", "user-base needs somebody who searches there");
    }
    String password = props.text("search-password", "");
    if (searchDn.isEmpty() != password.isEmpty()) {
      props.problem("search-password", "search-dn and search-password go together");
    }
    String groupBase = props.text("group-base", "");
    String groupFilter = props.text("group-filter", "(member={dn})");
    needs(props, "user-dn-pattern", pattern, pattern.isEmpty() ? List.of() : List.of(USER));
    needs(props, "user-filter", filter, List.of(USER));
    checkDn(props, "user-dn-pattern", pattern.replace(USER, "x"));
    checkDn(props, "user-base", base);
    checkDn(props, "search-dn", searchDn);
    checkDn(props, "group-base", groupBase);
    checkFilter(props, "user-filter", filter);
    checkFilter(props, "group-filter", groupFilter);
    var settings =
        new LdapSettings(
            servers,
            protection,
            Trust.of(props),
            props.integer("connect-timeout-milliseconds", CONNECT, 1, LONGEST),
            props.integer("response-timeout-milliseconds", RESPONSE, 1, LONGEST),
            pattern,
            base,
            filter,
            searchDn,
            password,
            groupBase,
            groupFilter,
            props.text("group-attribute", "cn"));
    props.check();
    return settings;
  }

  private static List<Server> servers(AlgorithmProperties props, Set<String> schemes) {
    var servers = new ArrayList<Server>();
    for (String text : props.requiredText("urls").split(",", -1)) {
      try {
        URI uri = URI.create(text.strip());
        String scheme = String.valueOf(uri.getScheme());
        if (uri.getHost() == null || !Set.of("ldap", "ldaps").contains(scheme)) {
          props.problem("urls", "write ldaps://HOST:PORT, and a comma between several");
          continue;
        }
        schemes.add(scheme);
        int usual = scheme.equals("ldaps") ? LDAPS_PORT : LDAP_PORT;
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        servers.add(new Server(host, uri.getPort() < 0 ? usual : uri.getPort()));
      } catch (IllegalArgumentException unreadable) {
        props.problem("urls", "is no list of URLs: write ldaps://HOST:PORT");
      }
    }
    return servers;
  }

  private static Protection protection(AlgorithmProperties props, Set<String> schemes) {
    boolean startsTls = props.flag("start-tls", false);
    boolean isClear = props.flag("allow-clear-text", false);
    if (schemes.size() > 1) {
      props.problem("urls", "all of them ldaps://, or all of them ldap://");
    }
    if (schemes.contains("ldaps")) {
      if (startsTls || isClear) {
        props.problem("start-tls", "start-tls and allow-clear-text are for ldap://");
      }
      return Protection.LDAPS;
    }
    if (startsTls) {
      return Protection.START_TLS;
    }
    if (!isClear && !schemes.isEmpty()) {
      props.problem(
          "urls",
          "ldap:// would send passwords in clear: write ldaps://, or start-tls: true, or"
              + " allow-clear-text: true for a directory of this machine");
    }
    return Protection.NONE;
  }

  private static void needs(
      AlgorithmProperties props, String name, String text, List<String> places) {
    for (String place : places) {
      if (!text.contains(place)) {
        props.problem(name, "has no " + place);
      }
    }
  }

  private static void checkDn(AlgorithmProperties props, String name, String text) {
    if (!DN.isValidDN(text)) {
      props.problem(name, "is no distinguished name");
    }
  }

  private static void checkFilter(AlgorithmProperties props, String name, String text) {
    try {
      Filter.create(text.replace(USER, "x").replace(DN_OF_USER, "x"));
    } catch (LDAPException e) {
      props.problem(name, "is no filter");
    }
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return "LDAP " + servers;
  }
}
