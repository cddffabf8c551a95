package io.anabranch.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.OperationType;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldif.LDIFException;
import com.unboundid.util.ssl.KeyStoreKeyManager;
import com.unboundid.util.ssl.SSLUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/** A directory on this machine, over LDAPS and over LDAP with StartTLS. */
final class Directory implements AutoCloseable {

  static final String SEARCHER = "cn=searcher,dc=example,dc=org";
  static final String SEARCHER_PASSWORD = "searcher-secret";
  static final String STORE_PASSWORD = "store-secret";

  private static final String LDAPS = "ldaps";
  private static final String LDAP = "ldap";

  private final InMemoryDirectoryServer server;

  private Directory(InMemoryDirectoryServer server) {
    this.server = server;
  }

  /**
   * @param keys with its private key
   */
  static Directory start(Path keys) throws LDAPException, LDIFException, GeneralSecurityException {
    var tls =
        new SSLUtil(
            new KeyStoreKeyManager(
                keys.toString(), STORE_PASSWORD.toCharArray(), "PKCS12", "directory"),
            null);
    InetAddress here = InetAddress.getLoopbackAddress();
    var config = new InMemoryDirectoryServerConfig("dc=example,dc=org");
    config.setSchema(null);
    config.addAdditionalBindCredentials(SEARCHER, SEARCHER_PASSWORD);
    config.setAuthenticationRequiredOperationTypes(OperationType.SEARCH);
    config.setListenerConfigs(
        InMemoryListenerConfig.createLDAPSConfig(
            LDAPS, here, 0, tls.createSSLServerSocketFactory(), null),
        InMemoryListenerConfig.createLDAPConfig(LDAP, here, 0, tls.createSSLSocketFactory()));
    var server = new InMemoryDirectoryServer(config);
    server.add(new Entry("dn: dc=example,dc=org", "objectClass: domain"));
    server.add("dn: ou=people,dc=example,dc=org", "objectClass: organizationalUnit");
    server.add("dn: ou=groups,dc=example,dc=org", "objectClass: organizationalUnit");
    server.startListening();
    return new Directory(server);
  }

  /**
   * A key and its certificate, with which it vouches for itself.
   *
   * @param names that it is for: {@code ip:127.0.0.1}
   */
  static Path keys(Path folder, String name, String names)
      throws IOException, InterruptedException {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "directory",
                "-keyalg",
                "EC",
                "-dname",
                "CN=directory",
                "-ext",
                "SAN=" + names,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                STORE_PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(output).isZero();
    return store;
  }

  /** Who may log in, by a password that is the name backwards. */
  void person(String uid, String... groups) throws LDAPException {
    String dn = new RDN("uid", uid) + ",ou=people,dc=example,dc=org";
    var entry = new Entry(dn);
    entry.addAttribute("objectClass", "inetOrgPerson");
    entry.addAttribute("uid", uid);
    entry.addAttribute("userPassword", password(uid));
    server.add(entry);
    for (String group : groups) {
      var members = new Entry(new RDN("cn", group) + ",ou=groups,dc=example,dc=org");
      members.addAttribute("objectClass", "groupOfNames");
      members.addAttribute("cn", group);
      members.addAttribute("member", List.of(dn, SEARCHER));
      server.add(members);
    }
  }

  /** One more entry of this name. */
  void twin(String uid) throws LDAPException, LDIFException {
    server.add(
        "dn: cn=twin,ou=people,dc=example,dc=org", "objectClass: inetOrgPerson", "uid: " + uid);
  }

  static String password(String uid) {
    return new StringBuilder(uid).reverse().toString();
  }

  int ldaps() {
    return server.getListenPort(LDAPS);
  }

  int ldap() {
    return server.getListenPort(LDAP);
  }

  @Override
  public void close() {
    server.shutDown(true);
  }
}
