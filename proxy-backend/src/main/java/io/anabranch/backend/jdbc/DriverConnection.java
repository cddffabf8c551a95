package io.anabranch.backend.jdbc;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.command.CommandWriter;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.mariadb.jdbc.client.Client;
import org.mariadb.jdbc.client.Context;

/**
 * The merge lane's use of a connection through the driver. Prepared statements live for one
 * execution: the connection may be another session's the next time.
 */
final class DriverConnection implements ShardConnection {

  /** With these a server may leave out what {@link DriverCursor} needs to read. */
  private static final long UNREADABLE =
      Capability.MARIADB_CACHE_METADATA | Capability.OPTIONAL_RESULTSET_METADATA;

  private final Client client;
  private final long capabilities;
  private List<byte[]> prologue = List.of();
  private StatementMemory memory = StatementMemory.UNLIMITED;

  private DriverConnection(Client client, long capabilities) {
    this.client = client;
    this.capabilities = capabilities;
  }

  static DriverConnection over(Client client) {
    long capabilities = capabilities(client.getContext());
    if ((capabilities & UNREADABLE) != 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a data source that leaves out column definitions", "set enableSkipMeta=false");
    }
    return new DriverConnection(client, capabilities);
  }

  private static long capabilities(Context context) {
    long set = 0;
    for (int bit = 0; bit < Long.SIZE - 1; bit++) {
      if (context.hasClientCapability(1L << bit)) {
        set |= 1L << bit;
      }
    }
    return set;
  }

  @Override
  public void memory(StatementMemory ofStatement) {
    memory = ofStatement;
  }

  @Override
  public String database() {
    String database = client.getContext().getDatabase();
    return database == null ? "" : database;
  }

  @Override
  public void prologue(List<byte[]> statements) {
    prologue = List.copyOf(statements);
  }

  @Override
  public ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary) {
    runPrologue();
    if (!binary) {
      return run(out -> CommandWriter.query(out, query.sql()), Response.TEXT, () -> {});
    }
    int statement = prepare(query).statementId();
    return run(
        out -> CommandWriter.stmtExecute(out, statement, parameters, query.parameters()),
        Response.BINARY,
        () -> close(statement));
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    runPrologue();
    DriverCursor prepared = prepare(query);
    close(prepared.statementId());
    return prepared.columns();
  }

  private void runPrologue() {
    List<byte[]> statements = prologue;
    prologue = List.of();
    for (byte[] statement : statements) {
      run(out -> CommandWriter.query(out, statement), Response.TEXT, () -> {}).complete();
    }
  }

  private DriverCursor prepare(ShardQuery query) {
    DriverCursor answer =
        run(out -> CommandWriter.stmtPrepare(out, query.sql()), Response.PREPARE, () -> {});
    answer.complete();
    return answer;
  }

  private DriverCursor run(Consumer<ByteBuf> command, Response response, Runnable atEnd) {
    try {
      var cursor =
          new DriverCursor(
              DriverCommand.send(client, command), capabilities, response, memory, atEnd);
      cursor.open();
      return cursor;
    } catch (SQLException broken) {
      throw lost(broken);
    }
  }

  /** There is no answer to wait for. */
  private void close(int statement) {
    try {
      DriverCommand.send(client, out -> CommandWriter.stmtClose(out, statement));
    } catch (SQLException broken) {
      throw lost(broken);
    }
  }

  private static ShardException.Lost lost(SQLException broken) {
    return new ShardException.Lost(String.valueOf(broken.getMessage()), true);
  }
}
