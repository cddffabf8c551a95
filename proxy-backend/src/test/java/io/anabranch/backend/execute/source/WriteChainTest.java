package io.anabranch.backend.execute.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class WriteChainTest {

  private static final List<ShardQuery> THREE = List.of(query("W1"), query("W2"), query("W3"));

  private final Waiting connection = new Waiting();
  private final Cancellation cancellation = new Cancellation();

  private static ShardQuery query(String sql) {
    return ShardQuery.text("a", sql.getBytes(UTF_8));
  }

  private static ShardReply ok(long affected, int warnings) {
    return ShardReply.of(new ShardOutcome(affected, 0, 2, warnings, ""));
  }

  @Test
  void eachAnswerBeginsTheNext() {
    CompletableFuture<List<ShardReply>> ended = WriteChain.begin(connection, THREE, cancellation);
    assertThat(connection.sent).containsExactly("W1");
    connection.answer(ok(1, 0));
    assertThat(connection.sent).containsExactly("W1", "W2");
    connection.answer(ok(2, 0));
    assertThat(ended).isNotDone();
    connection.answer(ok(3, 0));
    assertThat(ended.join()).containsExactly(ok(1, 0), ok(2, 0), ok(3, 0));
  }

  @Test
  void nothingIsSentBehindAFailure() {
    CompletableFuture<List<ShardReply>> ended = WriteChain.begin(connection, THREE, cancellation);
    ShardReply refused = ShardReply.of(new ShardException.Database(1062, "23000", "Duplicate"));
    connection.answer(ok(1, 0));
    connection.answer(refused);
    assertThat(ended.join()).containsExactly(ok(1, 0), refused);
    assertThat(connection.sent).containsExactly("W1", "W2");
  }

  @Test
  void nothingIsSentBehindWarnings() {
    CompletableFuture<List<ShardReply>> ended = WriteChain.begin(connection, THREE, cancellation);
    connection.answer(ok(1, 4));
    assertThat(ended.join()).containsExactly(ok(1, 4));
    assertThat(connection.sent).containsExactly("W1");
  }

  @Test
  void nothingIsSentOfAStatementThatWasCancelled() {
    CompletableFuture<List<ShardReply>> ended = WriteChain.begin(connection, THREE, cancellation);
    cancellation.cancel(new IllegalStateException("killed"));
    connection.answer(ok(1, 0));
    assertThat(ended.join()).containsExactly(ok(1, 0));
    assertThat(connection.sent).containsExactly("W1");
  }

  @Test
  void aMistakeEndsIt() {
    CompletableFuture<List<ShardReply>> ended = WriteChain.begin(connection, THREE, cancellation);
    connection.last.completeExceptionally(new IllegalStateException("broken"));
    assertThatThrownBy(ended::join)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("broken");
    assertThat(connection.sent).containsExactly("W1");
  }

  /** Answers when it is told to. */
  private static final class Waiting implements ShardConnection {

    final List<String> sent = new ArrayList<>();
    CompletableFuture<ShardReply> last = new CompletableFuture<>();

    void answer(ShardReply reply) {
      last.complete(reply);
    }

    @Override
    public CompletableFuture<ShardReply> send(ShardQuery statement) {
      sent.add(statement.sqlText());
      last = new CompletableFuture<>();
      return last;
    }

    @Override
    public String database() {
      return "";
    }

    @Override
    public ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void prologue(List<byte[]> statements) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ResultColumn> describe(ShardQuery query) {
      throw new UnsupportedOperationException();
    }
  }
}
