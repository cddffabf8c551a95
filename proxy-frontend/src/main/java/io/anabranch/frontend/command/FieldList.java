package io.anabranch.frontend.command;

import io.anabranch.frontend.response.ResultPackets;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * COM_FIELD_LIST: the columns of a table, as preparing a query of all of them tells. Default values
 * are given as NULL.
 */
final class FieldList {

  private final Session session;
  private final StatementRun run;

  FieldList(Session session, StatementRun run) {
    this.session = session;
    this.run = run;
  }

  void run(ClientCommand.FieldList command, Runnable done) {
    String sql = "SELECT * FROM `" + command.table().replace("`", "``") + "`";
    String pattern = command.wildcard().isEmpty() ? "%" : command.wildcard();
    run.prepare(
        sql.getBytes(session.charset()),
        (columns, parameterCount, warnings) ->
            reply(
                columns.stream()
                    .filter(column -> LikePattern.matches(column.name(), pattern))
                    .toList()),
        done);
  }

  private void reply(List<ResultColumn> columns) {
    ByteBuf out = session.channel().alloc().buffer();
    int next =
        new ResultPackets(session.sink().capabilities())
            .fields(out, session.sink().sequence(), columns, session.charset(), session.status());
    session.sink().sequence(next);
    session.sink().write(out);
    session.sink().flush();
  }
}
