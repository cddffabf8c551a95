package io.anabranch.frontend.local;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.effect.UserVariables;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.statement.KillStatement;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.model.Authority;

/** KILL and COM_PROCESS_KILL: ends a session of this proxy, or what it runs. */
public final class KillCommand {

  private static final int MOST_DIGITS = 18;

  private final SessionRegistry registry;

  public KillCommand(SessionRegistry registry) {
    this.registry = registry;
  }

  void run(SourceText source, Answer answer) {
    KillStatement statement = KillStatement.parse(source);
    if (statement == null) {
      answer.fail(Syntax.near(source));
      return;
    }
    Session by = answer.session();
    boolean queryOnly = statement.queryOnly();
    switch (statement.target()) {
      case KillStatement.Target.Connection(long id) -> kill(by, id, queryOnly);
      case KillStatement.Target.Own() -> kill(by, by.id(), queryOnly);
      case KillStatement.Target.Variable(String name) -> kill(by, number(by, name), queryOnly);
      case KillStatement.Target.Computed() ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse("KILL with an expression", "say the number");
      case KillStatement.Target.Query(long id) -> throw ErrorCatalogue.NO_SUCH_QUERY.refuse(id);
      case KillStatement.Target.User user -> killAll(by, user, queryOnly);
    }
    answer.ok();
  }

  /** As servers take it: the digits that the value begins with. */
  private static long number(Session of, String variable) {
    String value = UserVariables.text(of, variable);
    String text = value == null ? "" : value;
    int end = 0;
    while (end < Math.min(MOST_DIGITS, text.length()) && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 ? 0 : Long.parseLong(text, 0, end, 10);
  }

  private void killAll(Session by, KillStatement.Target.User user, boolean queryOnly) {
    boolean isOwn = false;
    for (Session each : registry.all()) {
      Authority.User owner = each.user();
      String host = user.host();
      if (owner.name().equals(user.name()) && (host == null || host.equals(owner.host()))) {
        isOwn |= by.equals(each);
        if (!by.equals(each)) {
          end(by, each, queryOnly);
        }
      }
    }
    if (isOwn) {
      end(by, by, queryOnly);
    }
  }

  /**
   * Whoever ends itself gets no other answer than who is ended.
   *
   * @throws io.anabranch.rules.error.RefusedException 1094, 1095; 1317 or 1927 for one's own
   */
  public void kill(Session by, long id, boolean queryOnly) {
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
    if (by.equals(target)) {
      throw endOwn(by, queryOnly);
    }
    target
        .loop()
        .execute(
            () -> {
              target.command().interrupt(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
              if (!queryOnly) {
                target.channel().close();
              }
            });
  }

  /** The statement that runs is this one. */
  private static RefusedException endOwn(Session own, boolean queryOnly) {
    if (queryOnly) {
      return ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    }
    own.loop().execute(own.channel()::close);
    return ErrorCatalogue.CONNECTION_KILLED.refuse();
  }
}
