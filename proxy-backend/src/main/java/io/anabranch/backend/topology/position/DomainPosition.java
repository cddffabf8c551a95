package io.anabranch.backend.topology.position;

import java.util.Map;
import java.util.TreeMap;

/**
 * Of MariaDB, {@code domain-server-sequence} for each replication domain. A domain's sequence
 * numbers only grow, whichever server writes.
 *
 * @param domains by domain
 */
record DomainPosition(Map<Long, Gtid> domains) implements Position {

  DomainPosition {
    domains = Map.copyOf(domains);
  }

  record Gtid(long server, long sequence) {}

  static DomainPosition of(String text) {
    var domains = new TreeMap<Long, Gtid>();
    for (String gtid : text.split(",", -1)) {
      String[] parts = gtid.strip().split("-", -1);
      if (parts.length != 3) {
        throw new IllegalArgumentException("no GTID: " + text);
      }
      domains.put(
          Long.parseLong(parts[0]),
          new Gtid(Long.parseLong(parts[1]), Long.parseUnsignedLong(parts[2])));
    }
    return new DomainPosition(domains);
  }

  @Override
  public Position plus(Position other) {
    if (!(other instanceof DomainPosition(Map<Long, Gtid> more))) {
      throw new IllegalArgumentException(
          "GTIDs of MariaDB and MySQL in one group: " + other.text());
    }
    if (includes(other)) {
      return this;
    }
    var joined = new TreeMap<>(domains);
    more.forEach((domain, gtid) -> joined.merge(domain, gtid, DomainPosition::later));
    return new DomainPosition(joined);
  }

  @Override
  public Position withReached(Position other) {
    return plus(other);
  }

  private static Gtid later(Gtid a, Gtid b) {
    return Long.compareUnsigned(a.sequence, b.sequence) >= 0 ? a : b;
  }

  @Override
  public boolean includes(Position other) {
    if (!(other instanceof DomainPosition(Map<Long, Gtid> wanted))) {
      return false;
    }
    for (Map.Entry<Long, Gtid> each : wanted.entrySet()) {
      Gtid own = domains.get(each.getKey());
      if (own == null || Long.compareUnsigned(own.sequence, each.getValue().sequence) < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String text() {
    var text = new StringBuilder();
    new TreeMap<>(domains)
        .forEach(
            (domain, gtid) ->
                text.append(text.isEmpty() ? "" : ",")
                    .append(domain)
                    .append('-')
                    .append(gtid.server)
                    .append('-')
                    .append(Long.toUnsignedString(gtid.sequence)));
    return text.toString();
  }
}
