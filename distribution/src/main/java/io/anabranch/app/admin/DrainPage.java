package io.anabranch.app.admin;

import com.google.gson.JsonObject;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.admin.HealthReport.State;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * {@code POST /drain}: load balancers are told to send nobody any more ({@code /ready} is 503),
 * while all who are or come here are served; with {@code ?sessions=true} pools are sent away, too,
 * where they lose nothing; {@code ?end=true} takes all that back. {@code GET} tells how many
 * clients are left.
 */
public final class DrainPage implements AdminPage {

  private static final int OK = 200;

  private final Consumer<Boolean> wish;
  private final Consumer<Boolean> away;
  private final Supplier<State> state;
  private final BooleanSupplier isSendingAway;
  private final IntSupplier clients;

  /**
   * @param wish gets whether load balancers shall keep away
   * @param away gets whether sessions shall be sent away that lose nothing by it
   * @param clients connected now
   */
  public DrainPage(
      Consumer<Boolean> wish,
      Consumer<Boolean> away,
      Supplier<State> state,
      BooleanSupplier isSendingAway,
      IntSupplier clients) {
    this.wish = wish;
    this.away = away;
    this.state = state;
    this.isSendingAway = isSendingAway;
    this.clients = clients;
  }

  @Override
  public String path() {
    return "/drain";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    if (changes) {
      boolean begins = !isTrue(parameters, "end");
      wish.accept(begins);
      away.accept(begins && isTrue(parameters, "sessions"));
    }
    var body = new JsonObject();
    body.addProperty("draining", state.get() == State.DRAINING);
    body.addProperty("sessions", isSendingAway.getAsBoolean());
    body.addProperty("clients", clients.getAsInt());
    return new Answer(OK, body);
  }

  private static boolean isTrue(Map<String, String> parameters, String name) {
    return parameters.getOrDefault(name, "").equals("true");
  }
}
