package io.anabranch.app.live;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.frontend.configuration.ConfigurationControl.Version;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those of a proxy by itself: in memory, the last ones. */
public final class OwnRevisions implements Revisions {

  private static final int MOST = 20;

  private volatile List<Entry> entries;

  private record Entry(Version version, List<ConfigurationText> texts) {}

  /**
   * @param first the files at the start
   */
  public OwnRevisions(List<ConfigurationText> first) {
    entries = List.of(new Entry(new Version(1, Instant.now(), "start", List.of()), first));
  }

  @Override
  public long add(long after, String author, List<String> changes, List<ConfigurationText> texts) {
    long number = after + 1;
    var next = new ArrayList<Entry>();
    next.add(new Entry(new Version(number, Instant.now(), author, changes), texts));
    next.addAll(entries.subList(0, Math.min(entries.size(), MOST - 1)));
    entries = List.copyOf(next);
    return number;
  }

  @Override
  public @Nullable List<ConfigurationText> before(long number) {
    return entries.stream()
        .filter(entry -> entry.version().number() < number)
        .findFirst()
        .map(Entry::texts)
        .orElse(null);
  }

  @Override
  public List<ClusterMember> members() {
    return List.of();
  }

  @Override
  public List<Version> versions() {
    return entries.stream().map(Entry::version).toList();
  }
}
