package io.anabranch.frontend.command;

import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.execution.relay.RelayLane;
import io.anabranch.frontend.response.ResultPackets;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.CommandCode;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;

/**
 * COM_FIELD_LIST: goes to the database that would be asked for SHOW COLUMNS of the table, whose
 * answer alone has the default values. The command cannot name a schema: of the server's own ones,
 * preparing a query tells the columns, without their defaults. On the session's event loop.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_field_list.html">COM_FIELD_LIST</a>.
 */
final class FieldList {

  private final Session session;
  private final CurrentStatement statement;
  private final RelayLane lane;

  FieldList(Session session, CurrentStatement statement, RelayLane lane) {
    this.session = session;
    this.statement = statement;
    this.lane = lane;
  }

  /** The statement that is planned in the place of the command. */
  static String planned(ClientCommand.FieldList command) {
    return "SHOW COLUMNS FROM " + TableNames.quoted(command.table());
  }

  /** The query whose columns are those of a system schema's table. */
  static String described(ClientCommand.FieldList command) {
    return "SELECT * FROM " + TableNames.quoted(command.table());
  }

  /** Answers with what preparing {@link #described} told. */
  void reply(ClientCommand.FieldList command, List<ResultColumn> columns) {
    String pattern = command.wildcard().isEmpty() ? "%" : command.wildcard();
    List<ResultColumn> wanted =
        columns.stream().filter(column -> LikePattern.matches(column.name(), pattern)).toList();
    ByteBuf out = session.channel().alloc().buffer();
    int next =
        new ResultPackets(session.sink().capabilities())
            .fields(
                out,
                session.sink().sequence(),
                wanted,
                session.settings().resultCharset(),
                session.status());
    session.sink().sequence(next);
    session.sink().send(out);
  }

  /** Goes where {@link #planned} would go. */
  void run(ClientCommand.FieldList command, BoundPlan bound) {
    switch (bound) {
      case BoundPlan.AsIs target -> ask(target.dataSource(), command.table(), command);
      case BoundPlan.Single(ShardQuery query, _) -> {
        String actual = table(query);
        statement
            .target()
            .names(
                new NameMapping(
                    statement.target().names().schema(), Map.of(actual, command.table())));
        ask(query.dataSource(), actual, command);
      }
      case BoundPlan.Merged _ ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse("COM_FIELD_LIST", "use SHOW COLUMNS");
    }
  }

  /** What the statement's last word names. */
  private String table(ShardQuery query) {
    Scan scan =
        new SqlScanner().scan(query.sql(), 0, query.sql().length, session.lexerMode(), new Scan());
    SqlTokens tokens = SourceText.of(scan, session.charset(), session.lexerMode()).tokens();
    return tokens.name(tokens.size() - 1);
  }

  private void ask(String endpoint, String table, ClientCommand.FieldList command) {
    ByteBuf payload = session.channel().alloc().buffer();
    payload.writeByte(CommandCode.FIELD_LIST);
    payload.writeBytes(table.getBytes(session.charset())).writeByte(0);
    payload.writeBytes(command.wildcard().getBytes(session.charset()));
    lane.run(endpoint, new RelayCommand.Packet(payload, ResponseForm.FIELD_LIST));
  }
}
