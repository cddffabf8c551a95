package io.anabranch.app.plugin;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import com.unboundid.util.ssl.KeyStoreKeyManager;
import com.unboundid.util.ssl.SSLUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/** An LDAP directory on this machine, over TLS alone. */
final class Directory implements AutoCloseable {

  static final String STORE_PASSWORD = "store-secret";
  static final String SEARCHER_PASSWORD = "searcher-secret";

  private static final String BASE = "dc=example,dc=org";

  private final InMemoryDirectoryServer server;

  private Directory(InMemoryDirectoryServer server) {
    this.server = server;
  }

  /**
   * @param folder gets its key, {@code directory.p12}
   */
  static Directory start(Path folder)
      throws IOException,
          InterruptedException,
          LDAPException,
          LDIFException,
          GeneralSecurityException {
    Path keys = folder.resolve("directory.p12");
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
            "SAN=ip:127.0.0.1",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            keys.toString(),
            "-storepass",
            STORE_PASSWORD)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    var tls =
        new SSLUtil(
            new KeyStoreKeyManager(
                keys.toString(), STORE_PASSWORD.toCharArray(), "PKCS12", "directory"),
            null);
    var config = new InMemoryDirectoryServerConfig(BASE);
    config.setSchema(null);
    config.addAdditionalBindCredentials("cn=searcher," + BASE, SEARCHER_PASSWORD);
    config.setListenerConfigs(
        InMemoryListenerConfig.createLDAPSConfig(
            "ldaps",
            InetAddress.getLoopbackAddress(),
            0,
            tls.createSSLServerSocketFactory(),
            null));
    var server = new InMemoryDirectoryServer(config);
    server.add("dn: " + BASE, "objectClass: domain");
    var directory = new Directory(server);
    directory.person("ada", "readers");
    directory.person("alan", "analysts");
    directory.person("grace", "writers");
    directory.person("nobody", "others");
    server.startListening();
    return directory;
  }

  /** Who has a password that is the name and {@code -secret}, and a group to itself. */
  private void person(String uid, String group) throws LDAPException, LDIFException {
    String dn = "uid=" + uid + "," + BASE;
    server.add(
        "dn: " + dn, "objectClass: account", "uid: " + uid, "userPassword: " + uid + "-secret");
    server.add(
        "dn: cn=" + group + "," + BASE,
        "objectClass: groupOfNames",
        "cn: " + group,
        "member: " + dn);
  }

  /** The store's {@code props}, one line. */
  String properties(Path folder) {
    return """
        { urls: "ldaps://127.0.0.1:%d", trust-store: "%s", trust-store-password: %s,\
         user-base: "%s", search-dn: "cn=searcher,%s", search-password: "${file:searcher}",\
         group-base: "%s" }"""
        .formatted(
            server.getListenPort(),
            folder.resolve("directory.p12"),
            STORE_PASSWORD,
            BASE,
            BASE,
            BASE);
  }

  /** It answers nobody until {@link #appear}, on the same port. */
  void vanish() {
    server.shutDown(true);
  }

  void appear() throws LDAPException {
    server.startListening();
  }

  @Override
  public void close() {
    server.shutDown(true);
  }
}
