package io.anabranch.app;

import io.anabranch.app.cluster.Cluster;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The program as {@link Main} puts it together, in this JVM: what the tests of other packages may
 * see of an {@link Assembly}. Most of them want {@code fixture.RunningProxy}, which brings users
 * and properties along.
 */
public final class AssembledProxy implements AutoCloseable {

  private final Assembly assembly;

  private AssembledProxy(Assembly assembly) {
    this.assembly = assembly;
  }

  /**
   * Listens on the loopback address; joins the cluster that the configuration names, if any.
   *
   * @param port 0 for a free one
   * @param folder where relative names of certificates and of the socket start
   * @throws IllegalStateException if it cannot start; the message says why
   */
  public static AssembledProxy start(
      ConfigurationLoader loader, Configuration own, int port, Path folder) {
    try {
      Cluster cluster = Main.cluster(own, folder);
      return new AssembledProxy(
          Assembly.start(
              loader,
              cluster == null ? own : Main.join(cluster, own, loader),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
              null,
              folder,
              cluster));
    } catch (StartException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Puts another configuration in force. */
  public ConfigurationControl configuration() {
    return assembly.configuration();
  }

  /** What clients make it keep. */
  public MemoryBudget memory() {
    return assembly.memory();
  }

  public int port() {
    return assembly.address().getPort();
  }

  /** Drains and ends; blocks meanwhile. Safe to call twice. */
  @Override
  public void close() {
    assembly.close();
  }
}
