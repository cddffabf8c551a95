package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.statement.KillStatement;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.model.Authority;

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
    switch (statement.target()) {
      case KillStatement.Target.Connection(long id) ->
          kill(answer.session(), id, statement.queryOnly());
      case KillStatement.Target.Query(long id) -> throw ErrorCatalogue.NO_SUCH_QUERY.refuse(id);
      case KillStatement.Target.User user -> killAll(answer.session(), user, statement.queryOnly());
    }
    answer.ok();
  }

  private void killAll(Session by, KillStatement.Target.User user, boolean queryOnly) {
    for (Session each : registry.all()) {
      Authority.User owner = each.user();
      String host = user.host();
      if (owner.name().equals(user.name()) && (host == null || host.equals(owner.host()))) {
        end(by, each, queryOnly);
      }
    }
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException 1094, 1095
   */
  void kill(Session by, long id, boolean queryOnly) {
    Session target = registry.find(id);
    if (target == null) {
      throw ErrorCatalogue.NO_SUCH_THREAD.refuse(id);
    }
    end(by, target, queryOnly);
  }

  private static void end(Session by, Session target, boolean queryOnly) {
    if (!by.user().admin() && !by.user().equals(target.user())) {
      throw ErrorCatalogue.KILL_DENIED.refuse(target.id());
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
