package io.anabranch.frontend.admin;

import io.anabranch.frontend.notice.Pace;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the admin port shows.
 *
 * @param metrics the text of {@code /metrics}; called on the server's own loop
 * @param health likewise; must not block
 * @param pages further paths; may block
 * @param token what opens the pages, asked for each request; empty: only this machine may
 * @param refusals how often refused requests get into the log
 */
public record AdminContent(
    Supplier<String> metrics,
    Supplier<HealthReport> health,
    List<AdminPage> pages,
    Supplier<String> token,
    Pace refusals) {

  public AdminContent {
    pages = List.copyOf(pages);
  }

  /** With lines about refused requests every five seconds at most. */
  public AdminContent(
      Supplier<String> metrics,
      Supplier<HealthReport> health,
      List<AdminPage> pages,
      Supplier<String> token) {
    this(metrics, health, pages, token, new Pace(System::nanoTime));
  }
}
