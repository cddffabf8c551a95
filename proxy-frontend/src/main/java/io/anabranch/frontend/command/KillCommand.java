package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.statement.KillStatement;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;

/** KILL and COM_PROCESS_KILL: ends a session of this proxy, or what it runs. */
final class KillCommand {

  private final SessionRegistry registry;

  KillCommand(SessionRegistry registry) {
    this.registry = registry;
  }

  void run(SourceText source, Answer answer) {
    KillStatement statement = KillStatement.parse(source);
    if (statement == null) {
      answer.fail(Syntax.near(source));
      return;
    }
    kill(answer.session(), statement.id(), statement.queryOnly());
    answer.ok();
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException 1094, 1095
   */
  void kill(Session by, long id, boolean queryOnly) {
    Session target = registry.find(id);
    if (target == null) {
      throw ErrorCatalogue.NO_SUCH_THREAD.refuse(id);
    }
    if (!by.user().admin() && !by.user().equals(target.user())) {
      throw ErrorCatalogue.KILL_DENIED.refuse(id);
    }
    target
        .loop()
        .execute(
            () -> {
              target.interrupt(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
              if (!queryOnly) {
                target.channel().close();
              }
            });
  }
}
