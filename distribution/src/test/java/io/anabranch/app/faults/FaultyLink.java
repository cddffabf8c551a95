package io.anabranch.app.faults;

import io.anabranch.app.fixture.LoopbackListener;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Forwards connections packet by packet (<a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html">of the
 * MySQL protocol</a>, without TLS and compression), and does to one of them what it is told to.
 * Threads of its own; ends with {@link #close}.
 */
public final class FaultyLink implements AutoCloseable {

  private static final long DELAY_NANOS = 330_000_000;
  private static final long THROTTLE_NANOS = 50_000_000;
  private static final int THROTTLED = 20;
  private static final int HEADER = 4;

  private record Armed(Trigger trigger, Fault fault, AtomicBoolean sprung) {}

  private final LoopbackListener listener;
  private final int target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();

  private FaultyLink(int target) throws IOException {
    this.target = target;
    this.listener = new LoopbackListener(0, this::connect);
  }

  /** Forwards connections to the loopback port {@code target}. */
  public static FaultyLink to(int target) throws IOException {
    return new FaultyLink(target);
  }

  public int port() {
    return listener.port();
  }

  /**
   * The next packet that the trigger describes meets the fault.
   *
   * @return whether it has
   */
  AtomicBoolean arm(Trigger trigger, Fault fault) {
    var sprung = new AtomicBoolean();
    armed.set(new Armed(trigger, fault, sprung));
    return sprung;
  }

  /** All is well again: what is swallowed is reset, what comes next is forwarded. */
  public void heal() {
    armed.set(null);
    links.stream().filter(link -> link.isBlackHole).forEach(Link::reset);
  }

  /** What befalls connections between two commands. */
  public void strike(Fault fault) {
    for (Link each : links) {
      switch (fault) {
        case CLOSE -> each.end();
        case HALF_CLOSE -> each.closeForClient();
        case BLACK_HOLE -> each.isBlackHole = true;
        default -> each.reset();
      }
    }
  }

  void resetAll() {
    links.forEach(Link::reset);
  }

  private void connect(Socket client) {
    var link = new Link(client, new Socket());
    links.add(link);
    Thread.ofVirtual().start(link::serve);
  }

  @Override
  public void close() {
    listener.close();
    resetAll();
  }

  private static void quietly(Closing closing) {
    try {
      closing.run();
    } catch (IOException gone) {
      // that is what is wanted
    }
  }

  private interface Closing {
    void run() throws IOException;
  }

  /** One connection: two pumps, one for each direction. */
  private final class Link {

    private final Socket client;
    private final Socket server;

    /** Armed when it was made, for a packet of its beginning. */
    private volatile @Nullable Armed armedAtBirth;

    /** Whose command has passed; the fault meets a packet of its answer. */
    private volatile @Nullable Armed armedByCommand;

    private volatile boolean isBlackHole;
    private int requests;
    private int answers;
    private int answersOfCommand;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void serve() {
      try {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Armed at = armed.get();
        if (at != null && at.trigger.isOfConnection()) {
          armedAtBirth = at;
          if (at.trigger.after() == 0 && armed.compareAndSet(at, null)) {
            at.sprung.set(true);
            if (!surviveAtBirth(at.fault)) {
              return;
            }
          }
        }
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      } catch (IOException refused) {
        reset();
        return;
      }
      Thread.ofVirtual().start(() -> pump(server, client, false));
      pump(client, server, true);
    }

    void reset() {
      links.remove(this);
      LoopbackListener.reset(client);
      LoopbackListener.reset(server);
    }

    private void end() {
      links.remove(this);
      quietly(client::close);
      quietly(server::close);
    }

    void closeForClient() {
      quietly(client::shutdownOutput);
    }

    /** Whether there will be a connection nevertheless. */
    boolean surviveAtBirth(Fault fault) {
      switch (fault) {
        case DELAY, THROTTLE -> LockSupport.parkNanos(DELAY_NANOS);
        case BLACK_HOLE -> isBlackHole = true;
        case CLOSE, HALF_CLOSE -> end();
        default -> reset();
      }
      return fault.isHarmless;
    }

    void pump(Socket from, Socket to, boolean isRequest) {
      try {
        var in = new DataInputStream(from.getInputStream());
        OutputStream out = to.getOutputStream();
        while (true) {
          byte[] packet = read(in);
          Armed met = isRequest ? meetsRequest(packet) : meetsAnswer();
          if (met != null) {
            met.sprung.set(true);
            apply(met.fault, packet, out, to);
          } else if (!isBlackHole) {
            out.write(packet);
          }
        }
      } catch (HalfClosedException ended) {
        // the other pump lives on
      } catch (IOException broken) {
        if (!isBlackHole) {
          end();
        }
      }
    }

    private static byte[] read(DataInputStream in) throws IOException {
      byte[] header = in.readNBytes(HEADER);
      if (header.length < HEADER) {
        throw new EOFException();
      }
      int length = (header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16;
      byte[] packet = Arrays.copyOf(header, HEADER + length);
      in.readFully(packet, HEADER, length);
      return packet;
    }

    private @Nullable Armed meetsRequest(byte[] packet) {
      requests++;
      Armed born = armedAtBirth;
      if (born != null && born.trigger.after() == 2 && requests == 1) {
        armedAtBirth = null;
        return take(born);
      }
      Armed now = armed.get();
      if (now == null || now.trigger.isOfConnection() || !contains(packet, now.trigger.mark())) {
        return null;
      }
      if (now.trigger.after() == 0) {
        return take(now);
      }
      if (armed.compareAndSet(now, null)) {
        answersOfCommand = 0;
        armedByCommand = now;
      }
      return null;
    }

    private @Nullable Armed meetsAnswer() {
      answers++;
      Armed born = armedAtBirth;
      if (born != null
          && ((born.trigger.after() == 1 && answers == 1)
              || (born.trigger.after() == 3 && answers == 2))) {
        armedAtBirth = null;
        return take(born);
      }
      Armed command = armedByCommand;
      if (command != null && ++answersOfCommand == command.trigger.after()) {
        armedByCommand = null;
        return command;
      }
      return null;
    }

    private @Nullable Armed take(Armed which) {
      return armed.compareAndSet(which, null) ? which : null;
    }

    private void apply(Fault fault, byte[] packet, OutputStream out, Socket to) throws IOException {
      switch (fault) {
        case DELAY -> {
          LockSupport.parkNanos(DELAY_NANOS);
          out.write(packet);
        }
        case THROTTLE -> {
          for (int i = 0; i < packet.length; i++) {
            if (i < THROTTLED) {
              LockSupport.parkNanos(THROTTLE_NANOS);
            }
            out.write(packet, i, 1);
          }
        }
        case CLOSE -> end();
        case RESET -> reset();
        case HALF_CLOSE -> {
          to.shutdownOutput();
          throw new HalfClosedException();
        }
        case BLACK_HOLE -> isBlackHole = true;
        case CUT_WITHIN -> {
          out.write(packet, 0, packet.length / 2);
          reset();
        }
        case WRONG_NUMBER -> {
          packet[HEADER - 1] = (byte) (packet[HEADER - 1] + 3);
          out.write(packet);
        }
        case WRONG_LENGTH -> {
          packet[2] = (byte) (packet[2] + 1);
          out.write(packet);
        }
      }
    }
  }

  /** One direction has ended; the other goes on until its end. */
  private static final class HalfClosedException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** A mark of one character is the command's byte. */
  private static boolean contains(byte[] packet, String mark) {
    if (mark.length() == 1) {
      return packet.length > HEADER && packet[HEADER] == mark.charAt(0);
    }
    return new String(packet, HEADER, packet.length - HEADER, StandardCharsets.ISO_8859_1)
        .contains(mark);
  }
}
