package io.anabranch.frontend.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The other proxies of the cluster. Thread-safe. */
@FunctionalInterface
public interface ClusterPeers {

  /** Of a proxy by itself. */
  ClusterPeers NONE = _ -> List.of();

  /**
   * What one of them says.
   *
   * @param proxy its host and port
   * @param answer null: none has come in time
   */
  record Answer(String proxy, @Nullable Message answer) {}

  /**
   * Asks all of them, and waits some seconds at most. Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException if who they are cannot be told
   */
  List<Answer> ask(Message question);
}
