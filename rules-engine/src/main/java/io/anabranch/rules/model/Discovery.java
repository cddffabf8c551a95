package io.anabranch.rules.model;

import io.anabranch.rules.discovery.PrimaryDiscovery;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a group's primary is known.
 *
 * @param holdWritesMilliseconds how long writes wait for a primary before they are refused
 * @param plugIn of {@link Kind#PLUG_IN}; else null
 */
public record Discovery(Kind kind, long holdWritesMilliseconds, @Nullable PrimaryDiscovery plugIn) {

  /** The configured writer is the primary. */
  public static final Discovery STATIC = new Discovery(Kind.STATIC, 0);

  /** By a built-in kind. */
  public Discovery(Kind kind, long holdWritesMilliseconds) {
    this(kind, holdWritesMilliseconds, null);
  }

  /** By a plug-in. */
  public static Discovery by(PrimaryDiscovery plugIn, long holdWritesMilliseconds) {
    return new Discovery(Kind.PLUG_IN, holdWritesMilliseconds, plugIn);
  }

  /** Who says which member is the primary. */
  public enum Kind {
    STATIC,
    /** Asynchronous or semi-synchronous replication: the only one that is not read-only. */
    REPLICATION,
    /** MySQL Group Replication: the group itself. */
    GROUP_REPLICATION,
    /** All synchronised members could be: one is chosen, and kept while it is fit. */
    GALERA,
    /** Code of others: {@link Discovery#plugIn}. */
    PLUG_IN;

    /** What configurations call those that are built in. */
    public static Set<String> builtIn() {
      return Stream.of(values())
          .filter(kind -> kind != PLUG_IN)
          .map(Enum::name)
          .collect(Collectors.toUnmodifiableSet());
    }
  }
}
