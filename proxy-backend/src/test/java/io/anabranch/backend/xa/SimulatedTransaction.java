package io.anabranch.backend.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.shard.ShardReply;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** A client's transaction on some databases: begun, worked in, and committed or rolled back. */
final class SimulatedTransaction {

  /** What the client was told. */
  enum Told {
    NOTHING,
    COMMITTED,
    ROLLED_BACK,
    /** That some of it may be committed. */
    UNKNOWN
  }

  /** What it has on one database. */
  private record Part(SimulatedServer server, SimulatedConnection connection, Xid xid) {}

  private final SimulatedProcess process;
  private final List<SimulatedServer> servers;
  private final Random random;
  private final String global;
  private final List<Part> parts = new ArrayList<>();

  /** As they are ended. */
  private final List<Branch> branches = new ArrayList<>();

  private Told told = Told.NOTHING;
  private boolean isOver;

  SimulatedTransaction(SimulatedProcess process, List<SimulatedServer> servers, Random random) {
    this.process = process;
    this.servers = servers;
    this.random = random;
    this.global = String.valueOf(process.coordinator().newTransaction());
  }

  /** On the process's event loop. */
  void run() {
    try {
      for (SimulatedServer server : servers) {
        Xid xid = new Xid(global, (parts.size() + 1) + ":" + server);
        parts.add(new Part(server, process.connect(server), xid));
      }
    } catch (RefusedException unreachable) {
      parts.forEach(part -> part.connection.release());
      parts.clear();
      isOver = true;
      return;
    }
    var begun = new ArrayList<CompletableFuture<ShardReply>>();
    for (Part part : parts) {
      part.connection.prologue(List.of(bytes("XA START " + part.xid.sql())));
      begun.add(part.connection.send(ShardQuery.text(part.server.name, bytes("work"))));
    }
    var _ =
        CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
            .thenRun(() -> worked(begun.stream().allMatch(each -> each.join().outcome() != null)));
  }

  private static byte[] bytes(String sql) {
    return sql.getBytes(StandardCharsets.UTF_8);
  }

  private void worked(boolean isGood) {
    boolean commits = isGood && random.nextInt(10) > 0;
    process.note(this, commits ? "COMMIT" : "ROLLBACK");
    for (Part part : parts) {
      boolean changes = random.nextInt(8) > 0;
      branches.add(new Branch(part.connection, part.xid, changes));
    }
    var _ =
        (commits
                ? process.coordinator().commit(branches)
                : process.coordinator().rollback(branches))
            .thenAccept(endings -> ended(endings, commits));
  }

  private void ended(List<Ending> endings, boolean commits) {
    isOver = true;
    boolean isCommitted = all(endings, State.COMMITTED);
    boolean isUndone = all(endings, State.ROLLED_BACK);
    if (isCommitted && commits) {
      told = Told.COMMITTED;
    } else {
      told = isUndone || !commits ? Told.ROLLED_BACK : Told.UNKNOWN;
    }
    process.note(this, "is told", told);
    for (Ending ending : endings) {
      if (ending.cause() == null) {
        ending.lease().release();
      } else {
        ending.lease().discard("useless");
      }
    }
  }

  private static boolean all(List<Ending> endings, State state) {
    return endings.stream().allMatch(ending -> ending.state() == state);
  }

  /** Whether the client waits for nothing. */
  boolean isOver() {
    return isOver || process.isKilled();
  }

  Told told() {
    return told;
  }

  /** All or nothing, and what the client was told. Call when no branch is open any more. */
  void check() {
    var ends = new ArrayList<String>();
    int committed = 0;
    int undone = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      boolean onlyRead = !branches.isEmpty() && !branches.get(i).changes();
      boolean isCommitted = Boolean.TRUE.equals(part.server.isCommitted(part.xid.sql()));
      ends.add(part.server + (onlyRead ? " (only read): " : ": ") + isCommitted);
      if (!onlyRead) {
        committed += isCommitted ? 1 : 0;
        undone += isCommitted ? 0 : 1;
      }
    }
    assertThat(committed > 0 && undone > 0).as("torn: %s %s", this, ends).isFalse();
    if (told == Told.COMMITTED) {
      assertThat(undone).as("told committed: %s %s", this, ends).isZero();
    }
    if (told == Told.ROLLED_BACK) {
      assertThat(committed).as("told rolled back: %s %s", this, ends).isZero();
    }
  }

  @Override
  public String toString() {
    return global;
  }
}
