package io.anabranch.app;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.xa.InDoubt;
import io.anabranch.backend.xa.XaService;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.rules.error.RefusedException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code GET /xa}: prepared branches that the last look at the databases found. {@code POST
 * /xa?transaction=NAME&decision=commit|rollback} ends all branches of one that no proxy ends; with
 * {@code &force=true} of any of this cluster's, whatever the log says.
 */
final class XaPage implements AdminPage {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int BAD_GATEWAY = 502;

  private final XaService service;

  XaPage(XaService service) {
    this.service = service;
  }

  @Override
  public String path() {
    return "/xa";
  }

  @Override
  public Text answer(boolean changes, Map<String, String> parameters) {
    return changes ? force(parameters) : new Text(OK, list());
  }

  private Text force(Map<String, String> parameters) {
    String transaction = parameters.getOrDefault("transaction", "");
    String decision = parameters.getOrDefault("decision", "");
    boolean commits = decision.equals("commit");
    if (!transaction.matches("[A-Za-z0-9_.-]{1,64}")
        || (!commits && !decision.equals("rollback"))) {
      return error(BAD_REQUEST, "transaction=NAME and decision=commit or rollback");
    }
    if (!service.isOfThisName(transaction)) {
      return error(NOT_FOUND, "not a transaction of this cluster");
    }
    boolean isForced = parameters.getOrDefault("force", "").equals("true");
    if (!isForced && service.isEndedByProxies(transaction)) {
      return error(
          CONFLICT,
          "the proxies of this cluster end it as their log says; force=true ends it all the same,"
              + " which may tear it");
    }
    try {
      int ended = service.force(transaction, commits);
      service.recoverSoon();
      return new Text(OK, "{\"ended\":" + ended + "}\n");
    } catch (ShardException | RefusedException failure) {
      return error(BAD_GATEWAY, String.valueOf(failure.getMessage()));
    }
  }

  private static Text error(int status, String what) {
    return new Text(status, "{\"error\":" + quoted(what) + "}\n");
  }

  private String list() {
    String unfit =
        service.unfit().entrySet().stream()
            .map(each -> quoted(each.getKey()) + ":" + quoted(each.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
    return service.inDoubt().stream()
        .map(XaPage::entry)
        .collect(
            Collectors.joining(
                ",",
                "{\"ready\":" + service.isReady() + ",\"unfit\":" + unfit + ",\"branches\":[",
                "]}\n"));
  }

  /** Databases' messages have quotes of their own, and nothing that is not printable. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The names are letters, digits and punctuation without quotes. */
  private static String entry(InDoubt branch) {
    return "{\"transaction\":\"%s\",\"branch\":\"%s\",\"source\":\"%s\",\"state\":\"%s\",\"ageMilliseconds\":%d}"
        .formatted(
            branch.transaction(),
            branch.branch(),
            branch.source(),
            branch.kind().name().toLowerCase(Locale.ROOT),
            branch.ageMilliseconds());
  }
}
