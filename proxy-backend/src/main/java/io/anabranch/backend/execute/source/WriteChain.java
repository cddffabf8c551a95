package io.anabranch.backend.execute.source;

import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one data source one after the other: each answer begins the next on the connection's
 * event loop, and only the end wakes the thread of the statement. It ends behind a write that
 * failed, and behind one that warned: its warnings must be read before the next one forgets them. A
 * statement that was cancelled sends no more: a database forgets that when the next one begins.
 */
public final class WriteChain {

  private final ShardConnection connection;
  private final List<ShardQuery> queries;
  private final Cancellation cancellation;

  /** Filled by one answer after the other; read by the statement's thread at the end. */
  private final List<ShardReply> replies = new ArrayList<>();

  private final CompletableFuture<List<ShardReply>> ended = new CompletableFuture<>();

  private WriteChain(
      ShardConnection connection, List<ShardQuery> queries, Cancellation cancellation) {
    this.connection = connection;
    this.queries = queries;
    this.cancellation = cancellation;
  }

  /**
   * Begins and does not wait.
   *
   * @param queries in the text protocol, answered by OK; at least one
   * @return the replies to those that ran, in their order; exceptionally by a mistake of the proxy
   *     only
   */
  static CompletableFuture<List<ShardReply>> begin(
      ShardConnection connection, List<ShardQuery> queries, Cancellation cancellation) {
    var chain = new WriteChain(connection, queries, cancellation);
    chain.next();
    return chain.ended;
  }

  private void next() {
    try {
      var _ = connection.send(queries.get(replies.size())).whenComplete(this::replied);
    } catch (RuntimeException mistake) {
      ended.completeExceptionally(mistake);
    }
  }

  private void replied(@Nullable ShardReply reply, @Nullable Throwable mistake) {
    if (reply == null) {
      ended.completeExceptionally(
          mistake == null ? new IllegalStateException("neither reply nor mistake") : mistake);
      return;
    }
    replies.add(reply);
    ShardOutcome outcome = reply.outcome();
    boolean mayGoOn = outcome != null && outcome.warnings() == 0 && cancellation.reason() == null;
    if (mayGoOn && replies.size() < queries.size()) {
      next();
    } else {
      ended.complete(replies);
    }
  }
}
