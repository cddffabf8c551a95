package io.anabranch.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports of loopback that nobody listens on. Test processes run side by side, so each begins at a
 * place of its own, below the ports that systems give to clients, and takes none twice before it
 * has taken all.
 */
public final class FreePorts {

  private static final int FIRST = 10_240;
  private static final int COUNT = 22_000;

  /** Processes that begin one after the other are that far apart. */
  private static final int STRIDE = 977;

  private static int next = (int) (ProcessHandle.current().pid() * STRIDE % COUNT);

  private FreePorts() {}

  /** A free port. */
  public static int one() {
    return inRow(1);
  }

  /**
   * So many free ports in a row.
   *
   * @return the first
   */
  public static synchronized int inRow(int count) {
    for (int tried = 0; tried < COUNT; tried++) {
      int first = FIRST + next;
      boolean fits = next + count <= COUNT;
      next = fits ? (next + count) % COUNT : 0;
      if (fits && areFree(first, first + count - 1)) {
        return first;
      }
    }
    throw new IllegalStateException("no " + count + " free ports from " + FIRST + " on");
  }

  private static boolean areFree(int first, int last) {
    for (int each = first; each <= last; each++) {
      try (var socket = new ServerSocket(each, 1, InetAddress.getLoopbackAddress())) {
        socket.setReuseAddress(true);
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
