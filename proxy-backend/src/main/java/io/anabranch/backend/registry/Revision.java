package io.anabranch.backend.registry;

import io.anabranch.rules.config.yaml.ConfigurationText;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A configuration that the proxies of a cluster have agreed on.
 *
 * @param number from 1, without gaps but for what a registry has lost
 * @param published by the registry's clock
 * @param author who wanted it
 * @param member the proxy that has published it
 * @param changes to the one before, a line each; without passwords
 * @param texts the files
 */
public record Revision(
    long number,
    Instant published,
    String author,
    String member,
    List<String> changes,
    List<ConfigurationText> texts) {

  public Revision {
    changes = List.copyOf(changes);
    texts = List.copyOf(texts);
  }

  /** Whether its files are these, in whatever order. */
  public boolean hasTexts(List<ConfigurationText> others) {
    return Set.copyOf(texts).equals(Set.copyOf(others));
  }
}
