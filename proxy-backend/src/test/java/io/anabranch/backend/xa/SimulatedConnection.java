package io.anabranch.backend.xa;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.backend.xa.SimulatedServer.Answer;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a process to a database: statements are under way to it, run there and are
 * answered in steps of their own; it can break between any two, which its server notices later.
 */
final class SimulatedConnection implements Lease, ShardConnection {

  private static final ResultColumn COLUMN =
      new ResultColumn("", "", "", "c", "c", 33, 64, 253, 0, 0, "");

  private final SimulatedProcess process;
  private final SimulatedServer server;
  private final int number;

  /** Statements that go in front of the next one. */
  private final List<String> train = new ArrayList<>();

  // the client's end
  private boolean isEnded;
  private boolean isLost;
  private @Nullable CompletableFuture<Answer> expected;

  // what is under way, and the server's end
  private List<String> underWay = List.of();
  private final List<String> arrived = new ArrayList<>();
  private @Nullable Answer refused;
  private @Nullable Answer answer;
  private boolean isRunning;
  private boolean isOver;

  SimulatedConnection(SimulatedProcess process, SimulatedServer server) {
    this.process = process;
    this.server = server;
    this.number = process.nextConnection();
    server.connections.add(this);
  }

  boolean isOf(SimulatedProcess of) {
    return process.equals(of);
  }

  // ---------------------------------------------------------------- what may happen next

  /** Something that can happen to the connection. */
  enum Event {
    ARRIVE,
    BEGIN,
    FINISH,
    ANSWER,
    NOTICE
  }

  /** What can happen now; null: nothing. A statement that has to wait for locks tries again. */
  @Nullable Event next() {
    if (isOver) {
      return null;
    }
    if (!underWay.isEmpty()) {
      return Event.ARRIVE;
    }
    if (isRunning) {
      return Event.FINISH;
    }
    if (!arrived.isEmpty()) {
      return Event.BEGIN;
    }
    if (isLost || isEnded) {
      return Event.NOTICE;
    }
    return answer == null ? null : Event.ANSWER;
  }

  /** Has it happen; false if it could not yet. */
  boolean happen(Event event) {
    switch (event) {
      case ARRIVE -> {
        arrived.addAll(underWay);
        underWay = List.of();
      }
      case BEGIN -> {
        isRunning = server.begin(this, arrived.getFirst());
        return isRunning;
      }
      case FINISH -> finish();
      case ANSWER -> {
        Answer told = answer;
        answer = null;
        if (told != null) {
          tell(told);
        }
      }
      case NOTICE -> {
        isOver = true;
        server.sessionOver(this);
      }
    }
    return true;
  }

  private void finish() {
    String sql = arrived.removeFirst();
    isRunning = false;
    Answer one = server.finish(this, sql);
    process.note(this, "runs", sql, one.refused() == null ? "ok" : one.refused().errno());
    if (one.refused() != null && refused == null) {
      refused = one;
    }
    if (arrived.isEmpty()) {
      answer = refused == null ? one : refused;
      refused = null;
    }
  }

  /**
   * The network breaks it.
   *
   * @param arrives whether what is under way still arrives
   */
  void breaks(boolean arrives) {
    if (isLost || isOver) {
      return;
    }
    process.note(this, "breaks, what is under way", arrives ? "arrives" : "is lost");
    isLost = true;
    if (!arrives) {
      underWay = List.of();
    }
    lose();
  }

  /** Its server ends: what has not been committed is undone. */
  void dies() {
    isLost = true;
    isOver = true;
    server.sessionOver(this);
    lose();
  }

  private void lose() {
    if (expected != null) {
      tell(null);
    }
  }

  /**
   * @param told null: none comes
   */
  private void tell(@Nullable Answer told) {
    CompletableFuture<Answer> waiting = expected;
    expected = null;
    if (waiting != null) {
      if (told == null) {
        waiting.completeExceptionally(new ShardException.Lost("broken", true));
      } else {
        waiting.complete(told);
      }
    }
  }

  // ---------------------------------------------------------------- its client

  private CompletableFuture<Answer> submit(String sql) {
    if ((isEnded && !isLost) || expected != null) {
      throw process.wrong(this + " is busy or used after its lease: " + sql);
    }
    var future = new CompletableFuture<Answer>();
    if (isLost) {
      train.clear();
      future.completeExceptionally(new ShardException.Lost("closed", false));
      return future;
    }
    var sent = new ArrayList<>(train);
    sent.add(sql);
    train.clear();
    underWay = sent;
    expected = future;
    process.note(this, "is sent", sent);
    return future;
  }

  @Override
  public void prologue(List<byte[]> statements) {
    statements.forEach(sql -> train.add(new String(sql, StandardCharsets.UTF_8)));
  }

  @Override
  public CompletableFuture<ShardReply> send(ShardQuery statement) {
    var reply = new CompletableFuture<ShardReply>();
    var _ =
        submit(statement.sqlText())
            .whenComplete(
                (told, failure) ->
                    process.loop().execute(() -> reply.complete(reply(told, failure))));
    return reply;
  }

  private static ShardReply reply(@Nullable Answer told, @Nullable Throwable failure) {
    if (told == null) {
      return ShardReply.of(
          failure instanceof ShardException.Lost lost
              ? lost
              : new ShardException.Lost(String.valueOf(failure), true));
    }
    ShardException.Database no = told.refused();
    return no == null ? ShardReply.of(outcome(told)) : ShardReply.of(no);
  }

  private static ShardOutcome outcome(Answer told) {
    return new ShardOutcome(told.affected(), 0, 0, 0, "");
  }

  @Override
  public ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary) {
    CompletableFuture<Answer> future = submit(query.sqlText());
    process.threads().waitFor(future::isDone);
    ShardReply reply = future.handle((told, failure) -> reply(told, failure)).join();
    ShardException failure = reply.failure();
    if (failure != null) {
      throw failure;
    }
    return new Rows(future.join());
  }

  @Override
  public void release() {
    if (!isEnded) {
      if (expected != null || (!isLost && server.hasBranch(this))) {
        throw process.wrong(this + " is given back busy or with a branch");
      }
      isEnded = true;
    }
  }

  @Override
  public void discard(String reason) {
    if (!isEnded) {
      isEnded = true;
      process.note(this, "is discarded:", reason);
      isLost = true;
      lose();
    }
  }

  @Override
  public String dataSource() {
    return server.name;
  }

  @Override
  public String logicalDatabase() {
    return "db";
  }

  @Override
  public @Nullable BackendConnection connection() {
    return null;
  }

  @Override
  public ShardConnection shard() {
    return this;
  }

  @Override
  public SessionSettings applied() {
    return SessionSettings.INITIAL;
  }

  @Override
  public void applied(SessionSettings settings) {
    throw new AssertionError("nobody replays settings");
  }

  @Override
  public void interrupt() {
    throw new AssertionError("nobody interrupts");
  }

  @Override
  public String database() {
    return "";
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    throw new AssertionError("nobody prepares");
  }

  @Override
  public String toString() {
    return process + "-" + server + "#" + number;
  }

  /** An answer that has come whole. */
  private static final class Rows implements ShardCursor {

    private final Answer told;
    private final int columns;
    private final Iterator<String[]> rows;

    Rows(Answer told) {
      this.told = told;
      List<String[]> all = told.rows();
      this.columns = all == null ? 0 : all.isEmpty() ? 1 : all.getFirst().length;
      this.rows = all == null ? Collections.emptyIterator() : all.iterator();
    }

    @Override
    public List<ResultColumn> columns() {
      return Collections.nCopies(columns, COLUMN);
    }

    @Override
    public byte @Nullable [] next() {
      if (!rows.hasNext()) {
        return null;
      }
      var row = new ByteArrayOutputStream();
      for (String cell : rows.next()) {
        byte[] bytes = cell.getBytes(StandardCharsets.ISO_8859_1);
        row.write(bytes.length);
        row.writeBytes(bytes);
      }
      return row.toByteArray();
    }

    @Override
    public ShardOutcome outcome() {
      return SimulatedConnection.outcome(told);
    }

    @Override
    public void close() {}
  }
}
