package io.anabranch.app.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A {@code dataHost}: a primary and its replicas.
 *
 * @param readers that take reads
 * @param maxConnections to each, for all schemas together
 * @param maxLagSeconds beyond which a replica takes no reads; 0: no limit
 */
record MycatHost(
    String name,
    String place,
    Server writer,
    List<Server> readers,
    int maxConnections,
    long maxLagSeconds) {

  private static final int DEFAULT_CONNECTIONS = 50;

  /**
   * One server.
   *
   * @param address {@code host:port}
   */
  record Server(String name, String address, String user, String password) {}

  /** Null if the proxy cannot reach such a host, which is among the leftovers then. */
  static @Nullable MycatHost of(XmlElement host, List<Leftover> leftovers) {
    String what = "dataHost " + host.attribute("name");
    String type = host.attribute("dbType");
    if (!type.isEmpty() && !type.equalsIgnoreCase("mysql") && !type.equalsIgnoreCase("mariadb")) {
      leftovers.add(new Leftover(host.place(), what, "dbType " + type + " is not MySQL"));
      return null;
    }
    List<XmlElement> writers = host.children("writeHost").toList();
    if (writers.isEmpty()) {
      leftovers.add(new Leftover(host.place(), what, "it has no writeHost"));
      return null;
    }
    for (XmlElement standby : writers.subList(1, writers.size())) {
      leftovers.add(
          new Leftover(
              standby.place(),
              what + ", writeHost " + standby.attribute("host"),
              "the primary is one. If it replicates from the first, make it a replica of the group"
                  + " with discovery.type REPLICATION: writes follow whoever is not read-only"
                  + " (docs/configuration.md)"));
    }
    XmlElement first = writers.getFirst();
    List<Server> readers = readers(host, first, what, leftovers);
    String heartbeat = host.children("heartbeat").map(XmlElement::content).findFirst().orElse("");
    boolean watchesLag = heartbeat.toLowerCase(Locale.ROOT).contains("slave status");
    return new MycatHost(
        host.attribute("name"),
        host.place(),
        server(first, what, leftovers),
        readers,
        number(host.attribute("maxCon"), DEFAULT_CONNECTIONS),
        watchesLag && !readers.isEmpty() ? number(host.attribute("slaveThreshold"), 0) : 0);
  }

  private static List<Server> readers(
      XmlElement host, XmlElement writer, String what, List<Leftover> leftovers) {
    List<XmlElement> replicas = writer.children("readHost").toList();
    String balance = host.attribute("balance");
    if (replicas.isEmpty()) {
      return List.of();
    }
    if (balance.equals("0") || balance.isEmpty()) {
      leftovers.add(
          new Leftover(
              replicas.getFirst().place(),
              what + ", readHost",
              "with balance 0 replicas take no reads, and have no other purpose here"));
      return List.of();
    }
    if (balance.equals("2")) {
      leftovers.add(
          new Leftover(
              host.place(),
              what + ", balance 2",
              "reads go to the replicas alone while one is fit, not to the primary as well"));
    }
    var servers = new ArrayList<Server>();
    for (XmlElement replica : replicas) {
      String weight = replica.attribute("weight");
      if (!weight.isEmpty() && !weight.equals("0")) {
        leftovers.add(
            new Leftover(
                replica.place(),
                what + ", weight " + weight,
                "replicas are taken in turn; a loadBalancer of type WEIGHT has weights"));
      }
      servers.add(server(replica, what, leftovers));
    }
    return servers;
  }

  private static Server server(XmlElement of, String what, List<Leftover> leftovers) {
    String address =
        of.attribute("url")
            .replaceFirst("^jdbc:(mysql|mariadb)://", "")
            .replaceFirst("[/?].*$", "");
    String password = of.attribute("password");
    if (of.attribute("usingDecrypt").equals("1")) {
      leftovers.add(
          new Leftover(
              of.place(),
              what + ", password of " + of.attribute("host"),
              "it is encrypted with Mycat's own key: write it into the YAML, or a ${file:…}"));
      password = "";
    }
    return new Server(of.attribute("host"), address, of.attribute("user"), password);
  }

  private static int number(String text, int otherwise) {
    return text.matches("\\d{1,8}") ? Integer.parseInt(text) : otherwise;
  }
}
