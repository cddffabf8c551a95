package io.anabranch.backend.relay.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.fakes.SimulatedLoop;
import io.anabranch.backend.fakes.VirtualTime;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.Packets;
import io.anabranch.backend.relay.ScriptedConnection;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.conversation.Preparation;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.protocol.command.CommandCode;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions on one simulated event loop, and a server whose answers say for which text they are:
 * what a text begins with decides what comes. Statements are executed by their texts as well, where
 * they are prepared; what their columns are called changes from {@link #alters} on.
 */
final class PipeBed {

  static final String WARNS = "warns ";
  static final String FAILS = "fails ";
  static final String FAILS_LATE = "fails late ";
  static final String CHANGES = "changes ";
  static final String OPENS = "opens ";
  static final String LARGE = "large ";

  /** What a session is told that runs its statement alone because few are under way. */
  static final String LONE = "lone";

  final VirtualTime time = new VirtualTime();
  final SimulatedLoop loop = new SimulatedLoop("loop", time);
  final LoopPipes pipes;
  final Desk desk = new Desk();
  final List<Session> sessions = new ArrayList<>();
  final Sharing sharing;
  private final KeptStatements kept = new KeptStatements(100);
  private final long capabilities;
  private int version;

  PipeBed(long capabilities, Sharing sharing) {
    this.capabilities = capabilities;
    this.sharing = sharing;
    this.pipes = new LoopPipes(loop, kept, PipeListener.NONE, Runnable::run);
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
    return enters(new Session(new RelayCommand.Query(bytes(text)), text, settings));
  }

  /** From data sources that a configuration has had for a moment. */
  Session readsFromOthers(String text) {
    var command = new RelayCommand.Query(bytes(text));
    return enters(new Session(command, text, SessionSettings.INITIAL, new Desk()));
  }

  /** The same text, executed where it is prepared. */
  Session executes(String text) {
    ShardQuery query = ShardQuery.text("ds_0", bytes(text));
    var execute = new RelayCommand.Execute(query, ExecuteParameters.NONE);
    return enters(new Session(execute, text, SessionSettings.INITIAL));
  }

  private Session enters(Session session) {
    sessions.add(session);
    loop.within(
        () -> {
          if (!pipes.enter(session.read, sharing)) {
            session.tell(LONE);
          }
        });
    return session;
  }

  private boolean mayLeaveOut() {
    return Capability.has(capabilities, Capability.MARIADB_CACHE_METADATA);
  }

  /** Columns have other names from now on. */
  void alters() {
    version++;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What the server says to a text. */
  byte[] answer(String text) {
    return answer(text, packets -> packets.columns("a", "b"), PipeBed::row);
  }

  /** What it says to an execution. */
  private byte[] executed(String text, int as, boolean isTold) {
    return answer(
        text,
        packets -> isTold ? packets.columnsLeftOut(2) : packets.columns("a" + as, "b" + as),
        PipeBed::binaryRow);
  }

  private byte[] answer(
      String text, UnaryOperator<Packets> columns, BiFunction<String, String, byte[]> row) {
    var packets = new Packets(capabilities);
    if (text.startsWith(FAILS)) {
      return packets.err(1242, text).bytes();
    }
    if (text.startsWith(OPENS)) {
      return packets.ok(ServerStatus.AUTOCOMMIT).bytes();
    }
    columns.apply(packets).row(row.apply(text, text));
    if (text.startsWith(FAILS_LATE)) {
      return packets.err(1317, text).bytes();
    }
    if (text.startsWith(LARGE)) {
      for (int i = 0; i < 70; i++) {
        packets.row(row.apply("x".repeat(200).repeat(5), text));
      }
    }
    int more = text.startsWith(CHANGES) ? ServerStatus.IN_TRANS : ServerStatus.NO_INDEX_USED;
    return packets
        .row(row.apply("", text))
        .rowsEnd(ServerStatus.AUTOCOMMIT | more, text.startsWith(WARNS) ? 1 : 0)
        .bytes();
  }

  private static byte[] row(String first, String second) {
    return cells(Unpooled.buffer(), first, second);
  }

  private static byte[] binaryRow(String first, String second) {
    return cells(Unpooled.buffer().writeByte(0).writeByte(0), first, second);
  }

  private static byte[] cells(ByteBuf row, String first, String second) {
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

    Session(RelayCommand command, String text, SessionSettings settings) {
      this(command, text, settings, desk);
    }

    Session(RelayCommand command, String text, SessionSettings settings, Desk from) {
      this.text = text;
      var request = new LeaseDesk.Request("ds_0", false, loop);
      this.read = new PipedRead(from, request, settings, command, this);
    }

    void withdraws() {
      withdrawn = true;
      read.withdraw();
    }

    boolean isWithdrawn() {
      return withdrawn;
    }

    /** What it ran alone has ended. */
    void ends() {
      loop.within(read::ranAlone);
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
    public void answered(
        BackendConnection from,
        ByteBuf answer,
        @Nullable ToldColumns columns,
        boolean isLate,
        long nanos) {
      byte[] bytes = ByteBufUtil.getBytes(answer);
      boolean isOwn =
          columns == null ? Arrays.equals(bytes, answer(text)) : isExecuted(bytes, columns);
      if (!isOwn) {
        throw new AssertionError(text + " gets another answer: " + ByteBufUtil.hexDump(bytes));
      }
      tell(isLate ? "answered late" : "answered");
    }

    /** With its columns, or without those that were told before. */
    private boolean isExecuted(byte[] bytes, ToldColumns columns) {
      for (int as = 0; as <= version; as++) {
        if (Arrays.equals(bytes, executed(text, as, false))) {
          return !mayLeaveOut() || columnsOf(columns) == as;
        }
      }
      return mayLeaveOut() && Arrays.equals(bytes, executed(text, columnsOf(columns), true));
    }

    private int columnsOf(ToldColumns told) {
      String name = told.columns(2, capabilities, StandardCharsets.UTF_8).getFirst().table();
      return Integer.parseInt(name.substring(1));
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
    private final ArrayDeque<Asked> asks = new ArrayDeque<>();
    private final List<String> prepared = new ArrayList<>();
    private final Map<Integer, Integer> told = new HashMap<>();
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

    /** As a conversation does with a connection of its own. */
    void prepares(String text) {
      if (prepared.contains(text)) {
        return;
      }
      int id = prepared.size();
      prepared.add(text);
      told.put(id, version);
      var failures = new ArrayList<RelayOutcome>();
      loop.within(
          () -> {
            new Preparation(
                    connection,
                    kept,
                    List.of(),
                    new Conversation.Prepare(bytes(text), true, null),
                    (shape, failure) -> {
                      if (failure != null) {
                        failures.add(failure);
                      }
                    })
                .start();
            byte[] answer =
                new Packets(capabilities).prepared(id, "a" + version, "b" + version).bytes();
            connection.says(answer, answer.length);
          });
      connection.heard();
      assertThat(failures).isEmpty();
    }

    /** Texts that have arrived since. */
    List<String> hears() {
      asked.writeBytes(connection.heard());
      var heard = new ArrayList<String>();
      ByteBuf in = Unpooled.wrappedBuffer(asked.toByteArray());
      while (in.isReadable()) {
        ByteBuf payload = in.readSlice(in.readUnsignedMediumLE() + 1).skipBytes(1);
        boolean isExecution = payload.readByte() == CommandCode.STMT_EXECUTE;
        int id = isExecution ? payload.readIntLE() : -1;
        String text =
            isExecution
                ? prepared.get(id)
                : payload.readString(payload.readableBytes(), StandardCharsets.UTF_8);
        heard.add(text);
        asks.add(new Asked(text, id));
      }
      asked.reset();
      return heard;
    }

    /** Works at the next {@code count} statements. */
    void works(int count) {
      hears();
      for (int i = 0; i < count && !asks.isEmpty(); i++) {
        Asked next = asks.remove();
        unsaid.writeBytes(
            next.statement() < 0 ? answer(next.text()) : executes(next.text(), next.statement()));
      }
    }

    /** Columns that are told are not told again, however the answer ends. */
    private byte[] executes(String text, int statement) {
      boolean isTold = mayLeaveOut() && told.getOrDefault(statement, -1) == version;
      if (!text.startsWith(FAILS) && !text.startsWith(OPENS)) {
        told.put(statement, version);
      }
      return executed(text, version, isTold);
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

  /**
   * What a server was asked.
   *
   * @param statement -1: it is a text
   */
  private record Asked(String text, int statement) {}

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
      if (!server.asks.isEmpty() || server.unsaid() > 0) {
        throw new AssertionError("released with answers to come: " + server.asks);
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
