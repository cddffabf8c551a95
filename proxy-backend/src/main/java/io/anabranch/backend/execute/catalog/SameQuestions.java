package io.anabranch.backend.execute.catalog;

import io.anabranch.backend.lease.BlockingWork;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Many sessions that meet a statement for the first time ask the same of a database at the same
 * time: the first asks, the others wait for what it is told. Refusals are told to all of them. If
 * the first ends because its own client has gone, the next one asks. Nothing is remembered.
 * Thread-safe.
 *
 * @param <Q> what is asked, all of it: equal questions have the same answer
 * @param <A> answers, which are shared
 */
final class SameQuestions<Q, A> {

  private final Map<Q, CompletableFuture<A>> underWay = new ConcurrentHashMap<>();

  /**
   * Blocks.
   *
   * @param asking gets the answer from the database; blocks
   * @throws RefusedException if it is refused, or the thread is interrupted
   * @throws DescribeException with the database's error
   */
  A ask(Q question, Supplier<A> asking) {
    return BlockingWork.shared(() -> askOrWait(question, asking));
  }

  private A askOrWait(Q question, Supplier<A> asking) {
    while (true) {
      var own = new CompletableFuture<A>();
      CompletableFuture<A> first = underWay.putIfAbsent(question, own);
      if (first == null) {
        return askFirst(question, own, asking);
      }
      try {
        return first.get();
      } catch (CancellationException notTold) {
        // who has asked was not told for reasons of his own
      } catch (ExecutionException refused) {
        throw refusal(refused);
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
        throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
      }
    }
  }

  private A askFirst(Q question, CompletableFuture<A> own, Supplier<A> asking) {
    try {
      A answer = asking.get();
      own.complete(answer);
      return answer;
    } catch (RefusedException | DescribeException refused) {
      if (!Thread.currentThread().isInterrupted()) {
        own.completeExceptionally(refused);
      }
      throw refused;
    } finally {
      underWay.remove(question, own);
      own.cancel(false); // unless it is complete
    }
  }

  /** Neither has a stack: they may be thrown by several threads. */
  private static RuntimeException refusal(ExecutionException refused) {
    return switch (refused.getCause()) {
      case RefusedException own -> own;
      case DescribeException told -> told;
      case null, default -> new IllegalStateException(refused);
    };
  }
}
