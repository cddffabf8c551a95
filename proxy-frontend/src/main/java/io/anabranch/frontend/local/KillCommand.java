package io.anabranch.frontend.local;

import io.anabranch.frontend.cluster.ClusterPeers;
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
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** KILL: ends a session of this proxy or of another one of the cluster, or what it runs. */
final class KillCommand {

  private static final int MOST_DIGITS = 18;

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
    Session by = answer.session();
    boolean queryOnly = statement.queryOnly();
    switch (statement.target()) {
      case KillStatement.Target.Connection(long id) -> kill(id, queryOnly, answer);
      case KillStatement.Target.Own() -> kill(by.id(), queryOnly, answer);
      case KillStatement.Target.Variable(String name) -> kill(number(by, name), queryOnly, answer);
      case KillStatement.Target.Computed() ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse("KILL with an expression", "say the number");
      case KillStatement.Target.Query(long id) -> throw ErrorCatalogue.NO_SUCH_QUERY.refuse(id);
      case KillStatement.Target.User user -> killAll(user, queryOnly, answer);
    }
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

  private void killAll(KillStatement.Target.User user, boolean queryOnly, Answer answer) {
    Session by = answer.session();
    List<Session> targets = sessions(registry, user.name(), user.host());
    targets.stream().filter(each -> !by.equals(each)).forEach(each -> end(by, each, queryOnly));
    elsewhere(
        answer,
        peers -> PeerQuestions.killUser(peers, by, user.name(), user.host(), queryOnly),
        () -> {
          if (targets.contains(by)) {
            end(by, by, queryOnly);
          }
        });
  }

  /**
   * Those of a user on this proxy.
   *
   * @param user the name of one, or by which an account of a store has logged in
   * @param host null: from wherever
   */
  static List<Session> sessions(SessionRegistry registry, String user, @Nullable String host) {
    return registry.all().stream()
        .filter(
            each -> {
              Authority.User owner = each.user();
              boolean isNamed = owner.name().equals(user) || each.loginName().equals(user);
              return isNamed && (host == null || host.equals(owner.host()));
            })
        .toList();
  }

  /** Whoever ends itself gets no other answer than who is ended. */
  private void kill(long id, boolean queryOnly, Answer answer) {
    Session by = answer.session();
    Session target = registry.find(id);
    if (target != null) {
      end(by, target, queryOnly);
      answer.ok();
    } else {
      elsewhere(answer, peers -> PeerQuestions.kill(peers, by, id, queryOnly), () -> {});
    }
  }

  /**
   * @param asks the other proxies, of which there may be none
   * @param last on the event loop, before the answer
   */
  private void elsewhere(Answer answer, Consumer<ClusterPeers> asks, Runnable last) {
    ClusterPeers peers = registry.peers();
    answer.blocking(
        () -> {
          asks.accept(peers);
          return () -> {
            last.run();
            answer.ok();
          };
        });
  }

  private static void end(Session by, Session target, boolean queryOnly) {
    if (!by.user().admin() && !by.owner().equals(target.owner())) {
      throw ErrorCatalogue.KILL_DENIED.refuse(target.id());
    }
    if (by.equals(target)) {
      throw endOwn(by, queryOnly);
    }
    end(target, queryOnly);
  }

  /** Whoever says it may. On any thread. */
  static void end(Session target, boolean queryOnly) {
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
