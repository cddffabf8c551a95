package io.anabranch.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.FailoverServerSet;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.PostConnectProcessor;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.StartTLSPostConnectProcessor;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import io.anabranch.ldap.LdapSettings.Protection;
import io.anabranch.ldap.LdapSettings.Server;
import io.anabranch.rules.account.AccountStore;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Binds as whoever logs in: the directory says whether the password is right, and whether the
 * account may be used. Each question has connections of its own. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4513#section-5.1">Simple authentication</a>
 */
final class LdapAccountStore implements AccountStore {

  /** More groups than one account has: beyond it the question fails. */
  private static final int MOST_GROUPS = 1000;

  private static final String NO_ATTRIBUTES = "1.1";

  private final LdapSettings settings;
  private final FailoverServerSet servers;

  LdapAccountStore(LdapSettings settings) {
    this.settings = settings;
    var options = new LDAPConnectionOptions();
    options.setConnectTimeoutMillis(settings.connectMilliseconds());
    options.setResponseTimeoutMillis(settings.responseMilliseconds());
    // no thread beside the one that asks
    options.setUseSynchronousMode(true);
    options.setFollowReferrals(false);
    options.setBindWithDNRequiresPassword(true);
    options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(true));
    SocketFactory plain = SocketFactory.getDefault();
    boolean isTls = settings.protection() == Protection.LDAPS;
    PostConnectProcessor first =
        settings.protection() == Protection.START_TLS
            ? new StartTLSPostConnectProcessor(settings.trust().sockets())
            : null;
    this.servers =
        new FailoverServerSet(
            settings.servers().stream().map(Server::host).toArray(String[]::new),
            settings.servers().stream().mapToInt(Server::port).toArray(),
            new TimedSockets(
                isTls ? settings.trust().sockets() : plain, settings.responseMilliseconds()),
            options,
            null,
            first);
  }

  /**
   * @throws LDAPException if the directory does not answer, or not as it should
   */
  @Override
  public Answer ask(String name, String address, byte[] password) throws LDAPException {
    if (password.length == 0) {
      // RFC 4513, 5.1.2: a bind without a password succeeds, and is nobody's
      return new Refused();
    }
    try (LDAPConnection own = servers.getConnection()) {
      String dn = isOrdinary(name) ? dn(name) : null;
      // who is unknown waits for a bind as everybody else
      Answer bound = bind(own, dn == null ? stranger() : dn, password);
      if (dn == null) {
        return new Unknown();
      }
      return bound == null ? new Granted(groups(own, dn, name)) : bound;
    }
  }

  /**
   * Directories take other spellings of a name for the same, for whose failures a lockout would
   * count apart.
   */
  private static boolean isOrdinary(String name) {
    return name.strip().equals(name)
        && !name.contains("  ")
        && name.chars().noneMatch(Character::isISOControl)
        && Normalizer.isNormalized(name, Normalizer.Form.NFKC);
  }

  // ---------------------------------------------------------------- who it is

  /** Null: there is no such account. */
  private @Nullable String dn(String name) throws LDAPException {
    if (!settings.userDnPattern().isEmpty()) {
      String dn = settings.userDnPattern().replace(LdapSettings.USER, escaped(name));
      return new DN(dn).toString();
    }
    Filter filter =
        Filter.create(settings.userFilter().replace(LdapSettings.USER, Filter.encodeValue(name)));
    var search = new SearchRequest(settings.userBase(), SearchScope.SUB, filter, NO_ATTRIBUTES);
    search.setSizeLimit(2);
    try (LDAPConnection searching = searching()) {
      List<SearchResultEntry> found = searching.search(search).getSearchEntries();
      if (found.size() > 1) {
        throw new IllegalStateException("several entries have this name");
      }
      return found.isEmpty() ? null : found.getFirst().getDN();
    }
  }

  /** As a value of a distinguished name, of which it cannot become another part. */
  private static String escaped(String name) {
    String rdn = new RDN("cn", name).toString();
    return rdn.substring(rdn.indexOf('=') + 1);
  }

  private LDAPConnection searching() throws LDAPException {
    LDAPConnection connection = servers.getConnection();
    try {
      connection.bind(settings.searchDn(), settings.searchPassword());
      return connection;
    } catch (LDAPException e) {
      connection.close();
      throw e;
    }
  }

  /** A name that no entry has. */
  private String stranger() {
    String base =
        settings.userBase().isEmpty()
            ? settings.userDnPattern().substring(settings.userDnPattern().indexOf(',') + 1)
            : settings.userBase();
    return new RDN("cn", UUID.randomUUID().toString()) + "," + base.replace(LdapSettings.USER, "x");
  }

  // ---------------------------------------------------------------- whether it may

  /** Null: it may. */
  private static @Nullable Answer bind(LDAPConnection connection, String dn, byte[] password)
      throws LDAPException {
    try {
      connection.bind(new SimpleBindRequest(dn, password));
      return null;
    } catch (LDAPException e) {
      return switch (e.getResultCode().intValue()) {
        // invalid credentials, and what directories say of accounts that are locked or expired
        case 49, 48, 19, 50, 53 -> new Refused();
        // no such object, no distinguished name
        case 32, 34 -> new Unknown();
        default -> throw e;
      };
    }
  }

  // ---------------------------------------------------------------- what it belongs to

  private List<String> groups(LDAPConnection own, String dn, String name) throws LDAPException {
    if (settings.groupBase().isEmpty()) {
      return List.of();
    }
    Filter filter =
        Filter.create(
            settings
                .groupFilter()
                .replace(LdapSettings.DN_OF_USER, Filter.encodeValue(dn))
                .replace(LdapSettings.USER, Filter.encodeValue(name)));
    var search =
        new SearchRequest(settings.groupBase(), SearchScope.SUB, filter, settings.groupAttribute());
    search.setSizeLimit(MOST_GROUPS);
    if (settings.searchDn().isEmpty()) {
      return names(own, search);
    }
    try (LDAPConnection searching = searching()) {
      return names(searching, search);
    }
  }

  private List<String> names(LDAPConnection connection, SearchRequest search) throws LDAPException {
    var names = new ArrayList<String>();
    for (SearchResultEntry group : connection.search(search).getSearchEntries()) {
      String[] values = group.getAttributeValues(settings.groupAttribute());
      if (values != null) {
        names.addAll(Arrays.asList(values));
      }
    }
    return names;
  }
}
