package io.anabranch.frontend.command;

import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.answer.KeptAnswers;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.rules.model.protection.Protection;
import io.anabranch.rules.model.protection.QueryRule;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Lets answers be kept once all sessions tell what they change, which they do under rules that keep
 * some: behind each change of the rules those that still work with former ones count as changing
 * everything until their statement, or transaction, has ended.
 */
public final class AnswerWatch {

  private final SessionRegistry registry;
  private final Supplier<Protection> protection;
  private volatile List<QueryRule> seen = List.of();

  /**
   * @param protection that of the configuration in force; the same lists as long as it is
   */
  public AnswerWatch(SessionRegistry registry, Supplier<Protection> protection) {
    this.registry = registry;
    this.protection = protection;
  }

  /** Follows the configuration. One thread at a time. */
  @SuppressWarnings("ReferenceEquality") // rules are replaced, never changed
  public void look() {
    KeptAnswers answers = registry.answers();
    Protection present = protection.get();
    answers.sweep();
    if (present.rules() == seen) {
      return;
    }
    seen = present.rules();
    answers.close();
    if (present.keepsAnswers()) {
      openWhenAllTell(answers, present.rules());
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private void openWhenAllTell(KeptAnswers answers, List<QueryRule> rules) {
    Collection<Session> sessions = registry.all();
    var left = new AtomicInteger(sessions.size() + 1);
    Runnable one =
        () -> {
          if (left.decrementAndGet() == 0 && seen == rules) {
            answers.open(rules);
          }
        };
    for (Session session : sessions) {
      try {
        session
            .loop()
            .execute(
                () -> {
                  holdBack(session, answers);
                  one.run();
                });
      } catch (RejectedExecutionException ending) {
        return;
      }
    }
    one.run();
  }

  private static void holdBack(Session session, KeptAnswers answers) {
    boolean isBusy =
        !session.command().isIdle()
            || session.transaction().hasOpened()
            || session.connections().pins().any(Pin.XA);
    if (isBusy) {
      session.writes().begins(answers.tables().any());
    }
  }
}
