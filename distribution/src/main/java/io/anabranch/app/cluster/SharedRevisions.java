package io.anabranch.app.cluster;

import io.anabranch.app.live.Revisions;
import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.RegistryException;
import io.anabranch.backend.registry.Revision;
import io.anabranch.frontend.configuration.ConfigurationControl.Version;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Those of a cluster: a change comes into force here once the registry has taken it as the next
 * one, so that of two proxies that change the same revision one is refused.
 */
final class SharedRevisions implements Revisions {

  private static final int MOST = 20;

  private final ClusterRegistry registry;
  private final String member;
  private final LastGood lastGood;

  /** The latest first; what the registry has said last. */
  private volatile List<Revision> known;

  /**
   * @param member this proxy
   * @param first what is known at the start, the latest first
   */
  SharedRevisions(
      ClusterRegistry registry, String member, LastGood lastGood, List<Revision> first) {
    this.registry = registry;
    this.member = member;
    this.lastGood = lastGood;
    this.known = List.copyOf(first);
  }

  @Override
  public long add(long after, String author, List<String> changes, List<ConfigurationText> texts) {
    if (isThere(after, texts)) {
      // what a reference of these files leads to has changed on this machine
      return after;
    }
    var next = new Revision(after + 1, Instant.now(), author, member, changes, texts);
    try {
      if (!registry.publish(next)) {
        throw new ConfigurationRefusedException(
            List.of(
                "another proxy of the cluster has changed the configuration at the same time; it"
                    + " comes into force here within moments: look at SHOW CONFIGURATION DIFF and"
                    + " try again"));
      }
    } catch (RegistryException failure) {
      throw new ConfigurationRefusedException(
          List.of(
              failure.getMessage()
                  + "; the configuration changes where all proxies can hear of it only. If it"
                  + " has heard of this change all the same, it comes into force"));
    }
    took(next);
    return next.number();
  }

  private boolean isThere(long number, List<ConfigurationText> texts) {
    List<Revision> now = known;
    return !now.isEmpty()
        && now.getFirst().number() == number
        && now.getFirst().texts().equals(texts);
  }

  /** What came before may be in nobody's memory: the registry is asked. */
  @Override
  public @Nullable List<ConfigurationText> before(long number) {
    try {
      Revision former = registry.revision(number - 1);
      return former == null ? null : former.texts();
    } catch (RegistryException failure) {
      throw new ConfigurationRefusedException(List.of(String.valueOf(failure.getMessage())));
    }
  }

  @Override
  public List<Version> versions() {
    return known.stream()
        .map(each -> new Version(each.number(), each.published(), each.author(), each.changes()))
        .toList();
  }

  @Override
  public List<ClusterMember> members() {
    try {
      return registry.members();
    } catch (RegistryException failure) {
      throw new ConfigurationRefusedException(List.of(String.valueOf(failure.getMessage())));
    }
  }

  /**
   * Those that this proxy remembers, the oldest first.
   *
   * @param number of the one before them
   * @param last the number of the last of them
   */
  List<Revision> after(long number, long last) {
    return known.stream()
        .filter(each -> each.number() > number && each.number() <= last)
        .sorted(Comparator.comparingLong(Revision::number))
        .toList();
  }

  /**
   * A revision comes into force here: the disk keeps it, and what came with it is asked for.
   * Blocks; if the registry does not answer, that revision alone is added to what is known.
   */
  void took(Revision latest) {
    lastGood.keep(latest);
    List<Revision> told;
    try {
      told = registry.last(MOST).stream().filter(r -> r.number() <= latest.number()).toList();
    } catch (RegistryException failure) {
      told = List.of();
    }
    if (told.isEmpty() || told.getFirst().number() != latest.number()) {
      List<Revision> former = known;
      told = Stream.concat(Stream.of(latest), former.stream()).limit(MOST).toList();
    }
    known = told;
  }
}
