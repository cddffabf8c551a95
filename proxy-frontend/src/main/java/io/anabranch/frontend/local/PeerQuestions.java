package io.anabranch.frontend.local;

import io.anabranch.frontend.cluster.ClusterPeers;
import io.anabranch.frontend.cluster.ClusterTable;
import io.anabranch.frontend.cluster.Message;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks other proxies of the cluster to end sessions, and answers what they ask. Thread-safe. */
public final class PeerQuestions {

  private static final String KILL = "kill";
  private static final String KILL_USER = "kill user";
  private static final String DONE = "done";
  private static final String DENIED = "denied";
  private static final String UNKNOWN = "unknown";

  private final SessionRegistry registry;
  private final VirtualSchema schema;

  /**
   * @param schema whose tables others may read
   */
  public PeerQuestions(SessionRegistry registry, VirtualSchema schema) {
    this.registry = registry;
    this.schema = schema;
  }

  // ---- asking

  /**
   * Has the proxy with that session end it. Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException 1094, 1095, or that a proxy is silent
   */
  static void kill(ClusterPeers peers, Session by, long id, boolean queryOnly) {
    Message question =
        Message.of(
            KILL,
            Long.toString(id),
            Boolean.toString(queryOnly),
            by.owner(),
            Boolean.toString(by.user().admin()));
    String silent = null;
    for (ClusterPeers.Answer each : peers.ask(question)) {
      Message answer = each.answer();
      if (answer == null) {
        silent = each.proxy();
      } else if (answer.what().equals(DONE)) {
        return;
      } else if (answer.what().equals(DENIED)) {
        throw ErrorCatalogue.KILL_DENIED.refuse(id);
      }
    }
    if (silent != null) {
      throw ErrorCatalogue.PROXY_SILENT.refuse(silent, "does not answer");
    }
    throw ErrorCatalogue.NO_SUCH_THREAD.refuse(id);
  }

  /**
   * Has all others end all sessions of a user. Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException 1095, or that a proxy is silent
   */
  static void killUser(
      ClusterPeers peers, Session by, String user, @Nullable String host, boolean queryOnly) {
    Message question =
        Message.of(
            KILL_USER,
            user,
            host,
            Boolean.toString(queryOnly),
            by.owner(),
            Boolean.toString(by.user().admin()));
    for (ClusterPeers.Answer each : peers.ask(question)) {
      Message answer = each.answer();
      if (answer == null) {
        throw ErrorCatalogue.PROXY_SILENT.refuse(each.proxy(), "does not answer");
      }
      if (answer.what().equals(DENIED)) {
        throw ErrorCatalogue.KILL_DENIED.refuse(Long.valueOf(answer.text(1)));
      }
    }
  }

  // ---- answering

  /**
   * What this proxy says. Blocks, at most as long as its event loops are busy.
   *
   * @throws IllegalArgumentException for a question that is none
   */
  public Message answer(Message question) {
    return switch (question.what()) {
      case KILL -> ended(question);
      case KILL_USER -> allEnded(question);
      case ClusterTable.ROWS -> rows(question.text(1));
      default -> Message.of(UNKNOWN);
    };
  }

  private Message ended(Message question) {
    Session target = registry.find(Long.parseLong(question.text(1)));
    if (target == null) {
      return Message.of(UNKNOWN);
    }
    return end(List.of(target), question, 2);
  }

  private Message allEnded(Message question) {
    List<Session> targets =
        KillCommand.sessions(registry, question.text(1), question.fields().get(2));
    return end(targets, question, 3);
  }

  /**
   * @param first of the fields that say how and by whom
   */
  private static Message end(List<Session> targets, Message question, int first) {
    boolean queryOnly = Boolean.parseBoolean(question.text(first));
    String by = question.text(first + 1);
    boolean isAdmin = Boolean.parseBoolean(question.text(first + 2));
    for (Session target : targets) {
      if (!isAdmin && !target.owner().equals(by)) {
        return Message.of(DENIED, Integer.toString(target.id()));
      }
      KillCommand.end(target, queryOnly);
    }
    return Message.of(DONE);
  }

  private Message rows(String name) {
    VirtualTable table = schema.table(name);
    if (table == null || table instanceof ClusterTable) {
      return Message.of(UNKNOWN);
    }
    return ClusterTable.answer(table);
  }
}
