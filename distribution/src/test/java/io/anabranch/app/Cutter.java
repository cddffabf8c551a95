package io.anabranch.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A link between a proxy and a database that fails at a given step of the protocol. Threads of its
 * own; ends with {@link #close}.
 */
final class Cutter implements AutoCloseable {

  /** Where a link fails. */
  enum Step {
    BEFORE_PREPARE("XA PREPARE ", false),
    AFTER_PREPARE("XA PREPARE ", true),
    BEFORE_LOG("INTO anabranch_xa_log", false),
    AFTER_LOG("INTO anabranch_xa_log", true),
    BEFORE_COMMIT("XA COMMIT ", false),
    AFTER_COMMIT("XA COMMIT ", true),
    DURING_STATEMENT("UPDATE account", true);

    private final String mark;
    private final boolean afterwards;

    Step(String mark, boolean afterwards) {
      this.mark = mark;
      this.afterwards = afterwards;
    }
  }

  /** How it fails. */
  enum Way {
    /** This connection is reset. */
    CUT,
    /** All connections are reset. */
    CUT_ALL,
    /** Nothing passes on this connection any more, until all are reset. */
    SILENCE,
    /** The given action runs, then this connection is reset. */
    ACTION
  }

  private record Trap(Step step, Way way, Runnable action, CountDownLatch sprung) {}

  private final ServerSocket listener;
  private final int target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();

  private volatile Consumer<String> recorder = train -> {};

  private Cutter(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** Forwards connections to the loopback port {@code target}. */
  static Cutter to(int target) throws IOException {
    var cutter = new Cutter(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), target);
    Thread.ofVirtual().name("cutter").start(cutter::accept);
    return cutter;
  }

  /** The same at a port that was another one's before. */
  static Cutter at(int port, int target) throws IOException {
    var cutter = new Cutter(new ServerSocket(port, 100, InetAddress.getLoopbackAddress()), target);
    Thread.ofVirtual().name("cutter").start(cutter::accept);
    return cutter;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The link fails when the step comes next; the latch tells that it has. */
  CountDownLatch arm(Step step, Way way, Runnable action) {
    var sprung = new CountDownLatch(1);
    trap.set(new Trap(step, way, action, sprung));
    return sprung;
  }

  void disarm() {
    trap.set(null);
  }

  /**
   * What clients send from now on goes to {@code trains} too, as it arrives: one per round trip.
   */
  void record(Consumer<String> trains) {
    recorder = trains;
  }

  void cutAll() {
    links.forEach(Link::cut);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (SocketException closed) {
      cutAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(Socket client) {
    var server = new Socket();
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
    } catch (IOException refused) {
      reset(client);
      return;
    }
    var link = new Link(client, server);
    links.add(link);
    Thread.ofVirtual().start(() -> link.pump(server, client, false));
    link.pump(client, server, true);
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException gone) {
      // that is what is wanted
    }
  }

  private static boolean contains(byte[] bytes, int length, byte[] mark) {
    for (int i = 0; i + mark.length <= length; i++) {
      int k = 0;
      while (k < mark.length && bytes[i + k] == mark[k]) {
        k++;
      }
      if (k == mark.length) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cutAll();
  }

  private final class Link {
    private final Socket client;
    private final Socket server;
    private final AtomicReference<@Nullable Trap> atReply = new AtomicReference<>();
    private volatile boolean silent;
    private volatile boolean isCut;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void cut() {
      isCut = true;
      links.remove(this);
      reset(client);
      reset(server);
      // a reply that never came did not spring its trap: another link's will
      Trap unsprung = atReply.getAndSet(null);
      if (unsprung != null) {
        trap.compareAndSet(null, unsprung);
      }
    }

    void pump(Socket from, Socket to, boolean isRequest) {
      byte[] buffer = new byte[32 * 1024];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (isRequest) {
            recorder.accept(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
          }
          if (isRequest ? springsBefore(buffer, n) : springsAfter()) {
            continue;
          }
          if (!silent) {
            out.write(buffer, 0, n);
          }
        }
      } catch (IOException broken) {
        // both ends are told below
      }
      cut();
    }

    private boolean springsBefore(byte[] bytes, int length) {
      Trap set = trap.get();
      if (set == null
          || isCut
          || !contains(bytes, length, set.step.mark.getBytes(StandardCharsets.US_ASCII))
          || !trap.compareAndSet(set, null)) {
        return false;
      }
      if (set.step.afterwards) {
        atReply.set(set);
        if (isCut) {
          cut();
        }
        return false;
      }
      spring(set);
      return true;
    }

    private boolean springsAfter() {
      Trap set = atReply.getAndSet(null);
      if (set == null) {
        return false;
      }
      spring(set);
      return true;
    }

    private void spring(Trap set) {
      switch (set.way) {
        case CUT -> cut();
        case CUT_ALL -> cutAll();
        case SILENCE -> silent = true;
        case ACTION -> {
          set.action.run();
          cut();
        }
      }
      set.sprung.countDown();
    }
  }
}
