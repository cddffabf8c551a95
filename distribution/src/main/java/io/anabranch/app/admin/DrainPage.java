package io.anabranch.app.admin;

import com.google.gson.JsonObject;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.admin.HealthReport.State;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * {@code POST /drain}: load balancers are told to send nobody any more ({@code /ready} is 503),
 * while all who are or come here are served; {@code ?end=true} takes that back. {@code GET} tells
 * how many clients are left.
 */
public final class DrainPage implements AdminPage {

  private static final int OK = 200;

  private final Consumer<Boolean> wish;
  private final Supplier<State> state;
  private final IntSupplier clients;

  /**
   * @param wish gets whether load balancers shall keep away
   * @param clients connected now
   */
  public DrainPage(Consumer<Boolean> wish, Supplier<State> state, IntSupplier clients) {
    this.wish = wish;
    this.state = state;
    this.clients = clients;
  }

  @Override
  public String path() {
    return "/drain";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    if (changes) {
      wish.accept(!parameters.getOrDefault("end", "").equals("true"));
    }
    var body = new JsonObject();
    body.addProperty("draining", state.get() == State.DRAINING);
    body.addProperty("clients", clients.getAsInt());
    return new Answer(OK, body);
  }
}
