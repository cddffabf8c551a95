package io.anabranch.rules.config.global;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.ClientProperties.Compression;
import io.anabranch.rules.model.ClientProperties.Limits;
import io.anabranch.rules.model.ClientProperties.Lockout;
import io.anabranch.rules.model.ClientProperties.Tls;
import io.anabranch.rules.model.Network;
import io.anabranch.rules.secret.Secrets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Those {@code props} that are about clients' connections. */
final class ClientPropsReader {

  private static final List<String> PROTOCOLS = List.of("TLSv1.2", "TLSv1.3");
  private static final long MIN_PACKET = 1024;
  private static final long MAX_PACKET = 1L << 30;

  private final Section props;
  private final Secrets secrets;

  ClientPropsReader(Section props, Secrets secrets) {
    this.secrets = secrets;
    this.props = props;
  }

  ClientProperties read() {
    return new ClientProperties(tls(), limits(), lockout(), compression(), networks());
  }

  private Tls tls() {
    Tls defaults = Tls.OFF;
    Tls tls =
        new Tls(
            props.flag("proxy-frontend-ssl-enabled", false),
            props.flag("proxy-frontend-ssl-required", false),
            protocols(defaults.protocols()),
            list("proxy-frontend-ssl-cipher"),
            props.secret("proxy-frontend-ssl-cert-file", secrets),
            props.secret("proxy-frontend-ssl-key-file", secrets),
            props.secret("proxy-frontend-ssl-key-password", secrets),
            props.secret("proxy-frontend-ssl-ca-file", secrets));
    if (tls.required() && !tls.enabled()) {
      error(
          "proxy-frontend-ssl-required",
          "without TLS nobody could connect",
          "set proxy-frontend-ssl-enabled: true");
    }
    if (tls.certificateFile().isEmpty() != tls.keyFile().isEmpty()) {
      String missing =
          tls.keyFile().isEmpty() ? "proxy-frontend-ssl-key-file" : "proxy-frontend-ssl-cert-file";
      error(
          missing,
          "a certificate and its key belong together",
          "give both files, or none: then the proxy makes its own");
    }
    return tls;
  }

  /** Old versions are left out as MySQL does; if only such are named, nobody could connect. */
  private List<String> protocols(List<String> otherwise) {
    props.assume("proxy-frontend-ssl-version", String.join(",", otherwise));
    Value value = props.value("proxy-frontend-ssl-version");
    if (value == null || value.isNull()) {
      return otherwise;
    }
    List<String> chosen = new ArrayList<>();
    for (String name : Names.list(value)) {
      switch (name.toUpperCase(Locale.ROOT)) {
        case "TLSV1.2" -> chosen.add("TLSv1.2");
        case "TLSV1.3" -> chosen.add("TLSv1.3");
        case "TLSV1", "TLSV1.0", "TLSV1.1", "SSLV3" ->
            value.notice(name + " is not offered: it is insecure", "remove it");
        default ->
            value.error(
                "there is no TLS version `" + name + "`", NearestName.suggestion(name, PROTOCOLS));
      }
    }
    if (chosen.isEmpty()) {
      value.error("no TLS version is left", "use TLSv1.2,TLSv1.3");
    }
    return chosen;
  }

  private Limits limits() {
    Limits defaults = Limits.DEFAULTS;
    long idle = seconds("proxy-frontend-connection-idle-timeout", defaults.idleTimeoutSeconds(), 0);
    return new Limits(
        seconds("proxy-frontend-handshake-timeout", defaults.handshakeTimeoutSeconds(), 1),
        idle,
        seconds("proxy-frontend-interactive-idle-timeout", idle, 0),
        seconds("proxy-frontend-write-timeout", defaults.writeTimeoutSeconds(), 0),
        seconds("proxy-frontend-upload-timeout", defaults.uploadTimeoutSeconds(), 0),
        props.number(
            "proxy-frontend-max-allowed-packet",
            defaults.maxAllowedPacket(),
            MIN_PACKET,
            MAX_PACKET),
        count("proxy-frontend-max-connections", defaults.maxConnections()),
        count("proxy-frontend-max-user-connections", defaults.maxUserConnections()),
        props.integer("proxy-tcp-keep-alive-seconds", defaults.keepAliveSeconds(), 0, 32_767));
  }

  private Lockout lockout() {
    return new Lockout(
        count("proxy-frontend-lockout-failures", Lockout.OFF.failures()),
        seconds("proxy-frontend-lockout-seconds", Lockout.OFF.seconds(), 1));
  }

  private Set<Compression> compression() {
    props.assume("proxy-frontend-compression-algorithms", "zlib,zstd");
    Value value = props.value("proxy-frontend-compression-algorithms");
    if (value == null) {
      return ClientProperties.DEFAULTS.compression();
    }
    Set<Compression> chosen = EnumSet.noneOf(Compression.class);
    for (String name : Names.list(value)) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "zlib" -> chosen.add(Compression.ZLIB);
        case "zstd" -> chosen.add(Compression.ZSTD);
        case "uncompressed" -> {}
        default ->
            value.error(
                "there is no compression `" + name + "`",
                "use zlib, zstd, both, or uncompressed for none");
      }
    }
    return chosen;
  }

  private List<Network> networks() {
    List<Network> networks = new ArrayList<>();
    props.assume("proxy-frontend-proxy-protocol-networks", "");
    Value value = props.value("proxy-frontend-proxy-protocol-networks");
    if (value == null) {
      return networks;
    }
    for (String text : Names.list(value)) {
      Network network = Network.parse(text);
      if (network == null) {
        value.error("`" + text + "` is no network", "write 10.1.0.0/16, or one address");
      } else {
        networks.add(network);
      }
    }
    return networks;
  }

  private List<String> list(String key) {
    props.assume(key, "");
    Value value = props.value(key);
    return value == null ? List.of() : Names.list(value);
  }

  private long seconds(String key, long otherwise, long min) {
    return props.number(key, otherwise, min, Integer.MAX_VALUE);
  }

  private int count(String key, int otherwise) {
    return props.integer(key, otherwise, 0, Integer.MAX_VALUE);
  }

  private void error(String key, String reason, String wayOut) {
    props.problems().error(props.keyPlace(key), reason, wayOut);
  }
}
