package io.anabranch.app.live;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.frontend.configuration.ConfigurationControl.Version;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configurations that were in force, numbered, and the last word on whether another one comes
 * into force. Used by one thread at a time but for {@link #members} and {@link #versions}.
 */
public interface Revisions {

  /**
   * Another configuration, which has been tried out, comes into force as soon as it has a number.
   *
   * @param after the number of what is in force
   * @param author who wants it
   * @param changes to what is in force, without passwords
   * @return its number
   * @throws ConfigurationRefusedException if it must not come into force
   */
  long add(long after, String author, List<String> changes, List<ConfigurationText> texts);

  /** The files of what was in force before a number; null: there was nothing, or it is unknown. */
  @Nullable List<ConfigurationText> before(long number);

  /**
   * The proxies that work with them; none for a proxy by itself. Blocks.
   *
   * @throws ConfigurationRefusedException if they are not known now
   */
  List<ClusterMember> members();

  /** The latest first. Thread-safe, and does not block. */
  List<Version> versions();
}
