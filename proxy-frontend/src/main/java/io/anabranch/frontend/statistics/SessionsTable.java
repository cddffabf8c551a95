package io.anabranch.frontend.statistics;

import static io.anabranch.frontend.table.VirtualColumn.milliseconds;
import static io.anabranch.frontend.table.VirtualColumn.number;
import static io.anabranch.frontend.table.VirtualColumn.text;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.frontend.session.Activity;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.RunningText;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code anabranch.sessions}: who is connected, what runs, and where. */
final class SessionsTable implements VirtualTable {

  private static final int LONGEST_TEXT = 65_536;

  /** Of many sessions less is told. */
  private static final int ALL_TEXTS = 1 << 20;

  private static final int SHORTEST_TEXT = 1024;

  private static final List<VirtualColumn> COLUMNS =
      List.of(
          number("id"),
          text("user", 128),
          text("client", 255),
          text("program", 255),
          text("database_name", 64),
          text("state", 32),
          milliseconds("state_ms"),
          text("data_source", 1024),
          text("backend_thread_id", 255),
          text("sql_text", LONGEST_TEXT));

  private final Supplier<Collection<Session>> sessions;
  private final Supplier<Deployment> deployment;

  SessionsTable(Supplier<Collection<Session>> sessions, Supplier<Deployment> deployment) {
    this.sessions = sessions;
    this.deployment = deployment;
  }

  @Override
  public String name() {
    return "sessions";
  }

  @Override
  public List<VirtualColumn> columns() {
    return COLUMNS;
  }

  /** Each session is asked on its event loop; blocks until all have answered. */
  @Override
  public List<List<@Nullable String>> rows() {
    var asked = new ArrayList<CompletableFuture<Activity>>();
    for (Session session : sessions.get()) {
      asked.add(CompletableFuture.supplyAsync(session::activity, session.loop()));
    }
    Map<Integer, List<HeldLease>> held = deployment.get().heldBySession();
    var rows = new ArrayList<List<@Nullable String>>(asked.size());
    int longest = Math.clamp(ALL_TEXTS / Math.max(1, asked.size()), SHORTEST_TEXT, LONGEST_TEXT);
    for (CompletableFuture<Activity> each : asked) {
      Activity activity = each.join();
      rows.add(row(activity, held.getOrDefault(activity.id(), List.of()), longest));
    }
    return rows;
  }

  private static List<@Nullable String> row(Activity session, List<HeldLease> held, int longest) {
    RunningText text = session.info();
    return Arrays.asList(
        Cells.number(session.id()),
        session.user(),
        session.host(),
        session.attributes().get("program_name"),
        session.database(),
        session.command(),
        Cells.milliseconds(session.nanos()),
        joined(held, each -> each.lease().dataSource()),
        joined(held, each -> Long.toString(each.threadId())),
        text == null ? null : text.shown(longest));
  }

  private static @Nullable String joined(List<HeldLease> held, Function<HeldLease, String> what) {
    return held.isEmpty() ? null : held.stream().map(what).collect(Collectors.joining(","));
  }
}
