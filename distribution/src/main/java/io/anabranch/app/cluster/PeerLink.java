package io.anabranch.app.cluster;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.backend.registry.ClusterRegistry;
import io.anabranch.backend.registry.MemberQuestion;
import io.anabranch.backend.registry.RegistryException;
import io.anabranch.frontend.cluster.ClusterPeers;
import io.anabranch.frontend.cluster.ClusterTable;
import io.anabranch.frontend.cluster.Message;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions between the proxies of a cluster, by way of the registry: no proxy has to reach another
 * one. Thread-safe.
 */
final class PeerLink implements ClusterPeers {

  private static final Logger log = LoggerFactory.getLogger(PeerLink.class);

  /** Behind it whoever is asked is taken for silent. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long LOOK_MILLISECONDS = 50;

  /** A question that is not told for so long is over: another one may have its id. */
  private static final long OVER_NANOS = 2 * PATIENCE_NANOS;

  private final ClusterRegistry registry;
  private final String self;

  /**
   * What this proxy has begun to answer, by id, with the moment when it was told last. An id means
   * nothing for longer: a registry's may begin anew.
   */
  private final Map<String, Long> taken = new HashMap<>();

  /**
   * @param self the id of this proxy
   */
  PeerLink(ClusterRegistry registry, String self) {
    this.registry = registry;
    this.self = self;
  }

  /** What is asked of whom, and what was answered. */
  private static final class Pending {

    final String proxy;
    final String id;
    @Nullable Message answer;

    Pending(String proxy, String id) {
      this.proxy = proxy;
      this.id = id;
    }
  }

  // ---- asking

  @Override
  public List<Answer> ask(Message question) {
    try {
      Map<String, String> others = others();
      String text = question.written();
      var pending = new ArrayList<Pending>();
      for (Map.Entry<String, String> other : others.entrySet()) {
        pending.add(new Pending(other.getValue(), registry.ask(other.getKey(), text)));
      }
      await(pending);
      return pending.stream().map(each -> new Answer(each.proxy, each.answer)).toList();
    } catch (RegistryException failure) {
      throw ErrorCatalogue.PROXY_SILENT.refuse(
          "that is asked", "is not told: " + failure.getMessage());
    }
  }

  /** Hosts and ports by ids. */
  private Map<String, String> others() throws RegistryException {
    var others = new LinkedHashMap<String, String>();
    for (ClusterMember member : registry.members()) {
      if (!member.id().equals(self)) {
        others.put(member.id(), member.host() + ":" + member.port());
      }
    }
    return others;
  }

  private void await(List<Pending> pending) throws RegistryException {
    long start = System.nanoTime();
    try {
      while (pending.stream().anyMatch(each -> each.answer == null)
          && System.nanoTime() - start < PATIENCE_NANOS) {
        Thread.sleep(LOOK_MILLISECONDS);
        for (Pending each : pending) {
          String answer = each.answer == null ? registry.answered(each.id) : null;
          each.answer = answer == null ? each.answer : Message.read(answer);
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      for (Pending each : pending) {
        registry.forget(each.id);
      }
    }
  }

  // ---- answering

  /**
   * Begins to answer what this proxy is asked, each question once. For one thread; blocks as long
   * as the registry takes to tell the questions.
   *
   * @param answers what the proxy says; may block
   * @throws RegistryException if the registry does not answer
   */
  void answer(UnaryOperator<Message> answers) throws RegistryException {
    List<MemberQuestion> questions = registry.questions(self);
    long now = System.nanoTime();
    taken.values().removeIf(told -> now - told > OVER_NANOS);
    for (MemberQuestion question : questions) {
      if (taken.put(question.id(), now) == null) {
        var _ = Thread.ofVirtual().name("peer").start(() -> answer(question, answers));
      }
    }
  }

  private void answer(MemberQuestion question, UnaryOperator<Message> answers) {
    try {
      registry.answer(question, written(question, answers));
    } catch (RegistryException failure) {
      log.warn("cluster: who asked gets no answer: {}", failure.getMessage());
    }
  }

  private static String written(MemberQuestion question, UnaryOperator<Message> answers) {
    try {
      String written = answers.apply(Message.read(question.text())).written();
      return written.length() <= Message.MOST_CHARACTERS
          ? written
          : Message.of(ClusterTable.TOO_MANY).written();
    } catch (RuntimeException unanswered) {
      log.warn("cluster: the question {} has no answer", question.id(), unanswered);
      return Message.of("failed").written();
    }
  }
}
