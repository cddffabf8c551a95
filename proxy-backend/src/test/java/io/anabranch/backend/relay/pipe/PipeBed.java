package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.fakes.SimulatedLoop;
import io.anabranch.backend.fakes.VirtualTime;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.Packets;
import io.anabranch.backend.relay.ScriptedConnection;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sessions on one simulated event loop, and a server whose answers say for which text they are:
 * what a text begins with decides what comes.
 */
final class PipeBed {

  static final String WARNS = "warns ";
  static final String FAILS = "fails ";
  static final String FAILS_LATE = "fails late ";
  static final String CHANGES = "changes ";
  static final String OPENS = "opens ";
  static final String LARGE = "large ";

  final VirtualTime time = new VirtualTime();
  final SimulatedLoop loop = new SimulatedLoop("loop", time);
  final LoopPipes pipes = new LoopPipes(loop, PipeListener.NONE, Runnable::run);
  final Desk desk = new Desk();
  final List<Session> sessions = new ArrayList<>();
  final Sharing sharing;
  private final long capabilities;

  PipeBed(long capabilities, Sharing sharing) {
    this.capabilities = capabilities;
    this.sharing = sharing;
  }

  /** Runs what is due now. */
  void turn() {
    while (loop.isReady()) {
      loop.runOne();
    }
  }

  void passes(long milliseconds) {
    for (long i = 0; i < milliseconds; i++) {
      time.advanceBy(1, TimeUnit.MILLISECONDS);
      turn();
    }
  }

  Session reads(String text) {
    return reads(text, SessionSettings.INITIAL);
  }

  Session reads(String text, SessionSettings settings) {
    var session = new Session(text, settings);
    sessions.add(session);
    loop.within(() -> pipes.enter(session.read, sharing));
    return session;
  }

  /** What the server says to a text. */
  byte[] answer(String text) {
    var packets = new Packets(capabilities);
    if (text.startsWith(FAILS)) {
      return packets.err(1242, text).bytes();
    }
    if (text.startsWith(OPENS)) {
      return packets.ok(ServerStatus.AUTOCOMMIT).bytes();
    }
    packets.columns("a", "b").row(row(text, text));
    if (text.startsWith(FAILS_LATE)) {
      return packets.err(1317, text).bytes();
    }
    if (text.startsWith(LARGE)) {
      for (int i = 0; i < 70; i++) {
        packets.row(row("x".repeat(200).repeat(5), text));
      }
    }
    int more = text.startsWith(CHANGES) ? ServerStatus.IN_TRANS : ServerStatus.NO_INDEX_USED;
    return packets
        .row(row("", text))
        .rowsEnd(ServerStatus.AUTOCOMMIT | more, text.startsWith(WARNS) ? 1 : 0)
        .bytes();
  }

  private static byte[] row(String first, String second) {
    ByteBuf row = Unpooled.buffer();
    for (String each : List.of(first, second)) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      if (bytes.length < 251) {
        row.writeByte(bytes.length);
      } else {
        row.writeByte(0xFC).writeShortLE(bytes.length);
      }
      row.writeBytes(bytes);
    }
    return ByteBufUtil.getBytes(row);
  }

  /** One client with one statement. */
  final class Session implements PipedRead.Reader {

    final String text;
    final PipedRead read;
    final List<String> told = new ArrayList<>();
    private boolean withdrawn;

    Session(String text, SessionSettings settings) {
      this.text = text;
      var request = new LeaseDesk.Request("ds_0", false, loop);
      this.read =
          new PipedRead(desk, request, settings, text.getBytes(StandardCharsets.UTF_8), this);
    }

    void withdraws() {
      withdrawn = true;
      read.withdraw();
    }

    boolean isWithdrawn() {
      return withdrawn;
    }

    /** Whether it waits for something. */
    boolean isWaiting() {
      return told.isEmpty() && !withdrawn;
    }

    private void tell(String what) {
      if (withdrawn) {
        throw new AssertionError(text + " has withdrawn and is told " + what);
      }
      told.add(what);
    }

    @Override
    public void answered(BackendConnection from, ByteBuf answer, boolean isLate) {
      byte[] bytes = ByteBufUtil.getBytes(answer);
      if (!java.util.Arrays.equals(bytes, answer(text))) {
        throw new AssertionError(text + " gets another answer: " + ByteBufUtil.hexDump(bytes));
      }
      tell(isLate ? "answered late" : "answered");
    }

    @Override
    public void alone(Repeat why) {
      tell(why.name());
    }

    @Override
    public void refused(RuntimeException refusal) {
      tell("refused");
    }
  }

  /** Connections that the test opens. */
  final class Desk implements LeaseDesk {

    final ArrayDeque<Server> free = new ArrayDeque<>();
    final List<Server> all = new ArrayList<>();
    final ArrayDeque<Callback> line = new ArrayDeque<>();
    boolean isWanted;

    /** Another connection is at hand. */
    Server opens() {
      var server = new Server();
      all.add(server);
      free.add(server);
      return server;
    }

    /** The first in line gets what is free. */
    void serves() {
      loop.within(
          () -> {
            while (!line.isEmpty() && !free.isEmpty()) {
              line.remove().leased(free.remove().lease(), null);
            }
          });
    }

    void refuses(RuntimeException refusal) {
      loop.within(() -> line.remove().leased(null, refusal));
    }

    @Override
    public void lease(Request request, Callback callback) {
      if (free.isEmpty()) {
        line.add(callback);
      } else {
        callback.leased(free.remove().lease(), null);
      }
    }

    @Override
    public @Nullable Lease leaseNow(Request request) {
      return free.isEmpty() ? null : free.remove().lease();
    }

    @Override
    public Lease leaseBlocking(Request request, Consumer<Place> queued) {
      throw new UnsupportedOperationException("nobody waits here");
    }
  }

  /** A connection and its server, which has answers for all that it was asked. */
  final class Server {

    final ScriptedConnection connection = new ScriptedConnection(capabilities);
    final List<String> log = new ArrayList<>();
    private final ByteArrayOutputStream asked = new ByteArrayOutputStream();
    private final ArrayDeque<String> texts = new ArrayDeque<>();
    private final ByteArrayOutputStream unsaid = new ByteArrayOutputStream();
    private @Nullable ServedLease lease;

    Lease lease() {
      var next = new ServedLease(this);
      lease = next;
      return next;
    }

    boolean isLeased() {
      return lease != null;
    }

    /** Texts that have arrived since. */
    List<String> hears() {
      asked.writeBytes(connection.heard());
      var heard = new ArrayList<String>();
      ByteBuf in = Unpooled.wrappedBuffer(asked.toByteArray());
      while (in.isReadable()) {
        int length = in.readUnsignedMediumLE();
        in.skipBytes(PacketWriter.HEADER_SIZE - 3 + 1);
        heard.add(in.readString(length - 1, StandardCharsets.UTF_8));
      }
      asked.reset();
      texts.addAll(heard);
      return heard;
    }

    /** Works at the next {@code count} statements. */
    void works(int count) {
      hears();
      for (int i = 0; i < count && !texts.isEmpty(); i++) {
        unsaid.writeBytes(answer(texts.remove()));
      }
    }

    int unsaid() {
      return unsaid.size();
    }

    /** Says so many bytes more, in parts of this length. */
    void says(int count, int partLength) {
      byte[] all = unsaid.toByteArray();
      int said = Math.min(count, all.length);
      unsaid.reset();
      unsaid.write(all, said, all.length - said);
      for (int from = 0; from < said && connection.isListenedTo(); from += partLength) {
        int to = Math.min(said, from + partLength);
        byte[] part = java.util.Arrays.copyOfRange(all, from, to);
        loop.within(() -> connection.says(part, part.length));
      }
    }

    void answersAll(int partLength) {
      works(Integer.MAX_VALUE);
      says(Integer.MAX_VALUE, partLength);
    }

    void breaks() {
      loop.within(connection::breaks);
    }
  }

  /** One lease of a server. */
  final class ServedLease implements Lease {

    private final Server server;
    private SessionSettings applied = SessionSettings.INITIAL;
    private boolean isOver;

    ServedLease(Server server) {
      this.server = server;
    }

    @Override
    public String dataSource() {
      return "ds_0";
    }

    @Override
    public String logicalDatabase() {
      return "logic";
    }

    @Override
    public BackendConnection connection() {
      return server.connection;
    }

    @Override
    public ShardConnection shard() {
      throw new UnsupportedOperationException("the relay lane alone");
    }

    @Override
    public SessionSettings applied() {
      return applied;
    }

    @Override
    public void applied(SessionSettings settings) {
      applied = settings;
    }

    @Override
    public boolean isLost() {
      return false;
    }

    @Override
    public boolean isWanted() {
      return desk.isWanted;
    }

    private void end(String how) {
      if (isOver) {
        throw new AssertionError("a lease ends twice: " + server.log);
      }
      isOver = true;
      server.lease = null;
      server.log.add(how);
      if (server.connection.isListenedTo()) {
        throw new AssertionError("somebody still listens");
      }
    }

    @Override
    public void release() {
      if (!server.texts.isEmpty() || server.unsaid() > 0) {
        throw new AssertionError("released with answers to come: " + server.texts);
      }
      end("released");
      desk.free.add(server);
    }

    @Override
    public void interrupt() {
      server.log.add("interrupted");
    }

    @Override
    public void discard(String reason) {
      if (!isOver) {
        end("discarded");
      }
    }
  }
}
