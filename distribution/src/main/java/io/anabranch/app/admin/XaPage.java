package io.anabranch.app.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.xa.InDoubt;
import io.anabranch.backend.xa.XaService;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.rules.error.RefusedException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /xa}: prepared branches that the last look at the databases found. {@code POST
 * /xa?transaction=NAME&decision=commit|rollback} ends all branches of one that no proxy ends; with
 * {@code &force=true} of any of this cluster's, whatever the log says.
 */
public final class XaPage implements AdminPage {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int BAD_GATEWAY = 502;

  private final @Nullable XaService service;

  /**
   * @param service null where transactions of type XA are not configured
   */
  public XaPage(@Nullable XaService service) {
    this.service = service;
  }

  @Override
  public String path() {
    return "/xa";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    if (service == null) {
      return changes
          ? Answer.error(CONFLICT, "transactions of type XA are not configured")
          : new Answer(OK, list(false, Map.of(), new JsonArray()));
    }
    if (changes) {
      return force(service, parameters);
    }
    var branches = new JsonArray();
    service.inDoubt().forEach(branch -> branches.add(entry(branch)));
    return new Answer(OK, list(service.isReady(), service.unfit(), branches));
  }

  private static Answer force(XaService service, Map<String, String> parameters) {
    String transaction = parameters.getOrDefault("transaction", "");
    String decision = parameters.getOrDefault("decision", "");
    boolean commits = decision.equals("commit");
    if (!transaction.matches("[A-Za-z0-9_.-]{1,64}")
        || (!commits && !decision.equals("rollback"))) {
      return Answer.error(BAD_REQUEST, "transaction=NAME and decision=commit or rollback");
    }
    if (!service.isOfThisName(transaction)) {
      return Answer.error(NOT_FOUND, "not a transaction of this cluster");
    }
    boolean isForced = parameters.getOrDefault("force", "").equals("true");
    if (!isForced && service.isEndedByProxies(transaction)) {
      return Answer.error(
          CONFLICT,
          "the proxies of this cluster end it as their log says; force=true ends it all the same,"
              + " which may tear it");
    }
    try {
      int ended = service.force(transaction, commits);
      service.recoverSoon();
      var body = new JsonObject();
      body.addProperty("ended", ended);
      return new Answer(OK, body);
    } catch (ShardException | RefusedException failure) {
      return Answer.error(BAD_GATEWAY, String.valueOf(failure.getMessage()));
    }
  }

  private JsonObject list(boolean isReady, Map<String, String> unfit, JsonArray branches) {
    var reasons = new JsonObject();
    unfit.forEach(reasons::addProperty);
    var body = new JsonObject();
    body.addProperty("configured", service != null);
    body.addProperty("ready", isReady);
    body.add("unfit", reasons);
    body.add("branches", branches);
    return body;
  }

  private static JsonObject entry(InDoubt branch) {
    var json = new JsonObject();
    json.addProperty("transaction", branch.transaction());
    json.addProperty("branch", branch.branch());
    json.addProperty("source", branch.source());
    json.addProperty("state", branch.kind().name().toLowerCase(Locale.ROOT));
    json.addProperty("ageMilliseconds", branch.ageMilliseconds());
    return json;
  }
}
