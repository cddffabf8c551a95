package io.anabranch.backend.background;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.stage.CellText;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.channel.EventLoop;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query that runs on a connection of its own, beside the session under whose settings it does.
 *
 * @param query for an actual data source
 * @param parameters as the client has bound them
 * @param isBinary whether it is run as a prepared statement
 * @param loop the session's
 */
public record BackgroundQuery(
    LeaseDesk desk,
    SessionSettings settings,
    EventLoop loop,
    ShardQuery query,
    ExecuteParameters parameters,
    boolean isBinary) {

  /**
   * Runs it; the answer is read and dropped. Blocks.
   *
   * @throws RuntimeException if it fails, or cannot be run
   */
  public void run() {
    run(
        cursor -> {
          if (!cursor.columns().isEmpty()) {
            while (cursor.next() != null) {
              // nobody wants them
            }
          }
          return true;
        });
  }

  /**
   * Runs it and gives its rows as texts, behind the names of their columns. Blocks.
   *
   * @param charset of the answer
   * @throws RuntimeException if it fails, or cannot be run
   */
  public List<List<@Nullable String>> texts(Charset charset) {
    return run(cursor -> texts(cursor, charset));
  }

  private List<List<@Nullable String>> texts(ShardCursor cursor, Charset charset) {
    List<ResultColumn> columns = cursor.columns();
    var rows = new ArrayList<List<@Nullable String>>();
    rows.add(new ArrayList<>(columns.stream().map(ResultColumn::name).toList()));
    var cells = new CellText(columns, RowFormat.of(isBinary));
    for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
      RowReader text = cells.read(row);
      var told = new ArrayList<@Nullable String>();
      for (int i = 0; i < columns.size(); i++) {
        told.add(
            text.isNull(i)
                ? null
                : new String(text.payload(), text.offset(i), text.length(i), charset));
      }
      rows.add(told);
    }
    return rows;
  }

  private <T> T run(Function<ShardCursor, T> reader) {
    Lease lease = desk.leaseBlocking(new LeaseDesk.Request(query.dataSource(), false, loop));
    try {
      T read;
      int status;
      replaySettings(lease);
      try (ShardCursor answer = lease.shard().query(query, parameters, isBinary)) {
        read = reader.apply(answer);
        status = answer.outcome().statusFlags();
      }
      if ((status & (ServerStatus.IN_TRANS | ServerStatus.MORE_RESULTS_EXISTS)) == 0) {
        lease.release();
      } else {
        lease.discard("a query in the background has left something open");
      }
      return read;
    } catch (ShardException.Database refused) {
      if (ShardException.Database.endsConnection(refused.errno())) {
        lease.discard("the server ended it with error " + refused.errno());
      } else {
        lease.release();
      }
      throw refused;
    } catch (RuntimeException broken) {
      lease.discard("a query in the background failed: " + broken.getMessage());
      throw broken;
    }
  }

  private void replaySettings(Lease lease) {
    for (byte[] each : SettingsReplay.difference(lease, settings)) {
      try (ShardCursor said = lease.shard().query(ShardQuery.text(lease.dataSource(), each))) {
        said.outcome();
      }
    }
    lease.applied(settings);
  }
}
