package io.anabranch.app.check;

import io.anabranch.frontend.tls.ClientTls;
import io.anabranch.frontend.tls.TlsException;
import io.anabranch.frontend.transport.Transport;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.RuleSet;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What stops a start though each file is in order by itself. */
public final class StartChecks {

  private StartChecks() {}

  /**
   * All that is wrong; opens nothing and makes no file.
   *
   * @param address where clients shall connect
   * @param directory where relative names of certificates begin
   */
  public static List<String> problems(RuleSet rules, InetAddress address, Path directory) {
    var problems = new ArrayList<>(samplePasswords(rules, address));
    try {
      Transport.choose(rules.properties().transport());
    } catch (IllegalArgumentException e) {
      problems.add("proxy-transport: " + e.getMessage());
    }
    ClientProperties.Tls tls = rules.properties().clients().tls();
    if (tls.enabled() && !tls.certificateFile().isEmpty()) {
      try {
        ClientTls.open(tls, directory);
      } catch (TlsException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return problems;
  }

  /**
   * Everyone knows the sample passwords: they are good for the loopback interface only.
   *
   * @return what is wrong with them on that address; empty if nothing is
   */
  public static List<String> samplePasswords(RuleSet rules, InetAddress address) {
    List<String> samples =
        rules.authority().users().stream()
            .filter(Authority.User::hasSamplePassword)
            .map(Authority.User::toString)
            .toList();
    return address.isLoopbackAddress() || samples.isEmpty()
        ? List.of()
        : List.of(
            "will not listen on %s while %s still has the sample password: change it in global.yaml, or listen on 127.0.0.1"
                .formatted(address.getHostAddress(), String.join(", ", samples)));
  }
}
