package io.anabranch.frontend.show;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Activity;
import io.anabranch.frontend.session.RunningText;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.statement.DeprecatedSyntax;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** SHOW PROCESSLIST: the proxy's sessions, in the server's columns. */
final class ProcessListing {

  private static final int SHORT_INFO = 100;

  /** As servers declare it. */
  private static final int LONGEST_STATE = 30;

  /** As text, and once more as a packet. */
  private static final int BYTES_OF_BYTE = 3;

  private static final int LONG_INFO = 201_326_592;
  private static final int LONG_INFO_OF_MARIADB = 50_331_648;

  private ProcessListing() {}

  /**
   * @param full with all of each statement
   */
  static void run(SessionRegistry registry, boolean full, Answer answer) {
    Session own = answer.session();
    var asked = new ArrayList<CompletableFuture<Activity>>();
    for (Session session : registry.all()) {
      if (own.user().admin() || own.owner().equals(session.owner())) {
        asked.add(CompletableFuture.supplyAsync(session::activity, session.loop()));
      }
    }
    boolean isMariaDb = own.deployment().isMariaDb();
    MemoryCharge texts = own.memory().charge(MemoryKind.HEAP, "the statements in the list");
    answer.afterwards(texts::close);
    answer.blocking(
        () -> {
          Map<Integer, List<HeldLease>> held = own.deployment().heldBySession();
          var rows = new ArrayList<List<@Nullable String>>(asked.size());
          for (CompletableFuture<Activity> asking : asked) {
            Activity activity = asking.join();
            String state = state(held.getOrDefault(activity.id(), List.of()));
            rows.add(row(activity, state, full, isMariaDb, texts));
          }
          return () -> {
            answer.warned(isMariaDb ? List.of() : List.of(DeprecatedSyntax.PROCESSLIST.warning()));
            answer.rows(columns(full, isMariaDb), rows);
          };
        });
  }

  /** Where it is: {@code ds_0:4711 ds_1:4712}, data sources and their numbers of the threads. */
  private static String state(List<HeldLease> held) {
    String all =
        held.stream()
            .map(each -> each.lease().dataSource() + ":" + each.threadId())
            .sorted()
            .collect(Collectors.joining(" "));
    return all.length() <= LONGEST_STATE ? all : all.substring(0, LONGEST_STATE - 2) + "..";
  }

  private static List<ResultColumn> columns(boolean full, boolean isMariaDb) {
    var columns = new ArrayList<ResultColumn>();
    columns.add(LocalColumns.number("Id", isMariaDb ? 11 : 22));
    columns.add(LocalColumns.required("User", isMariaDb ? 128 : 32));
    columns.add(LocalColumns.required("Host", isMariaDb ? 64 : 255));
    columns.add(LocalColumns.text("db", 64));
    columns.add(LocalColumns.required("Command", 16));
    columns.add(LocalColumns.shortNumber("Time", isMariaDb ? 7 : 8));
    columns.add(LocalColumns.text("State", LONGEST_STATE));
    columns.add(
        full
            ? LocalColumns.longText("Info", isMariaDb ? LONG_INFO_OF_MARIADB : LONG_INFO)
            : LocalColumns.text("Info", SHORT_INFO));
    if (isMariaDb) {
      columns.add(LocalColumns.fraction("Progress", 7, 3));
    }
    return columns;
  }

  private static List<@Nullable String> row(
      Activity activity, String state, boolean full, boolean isMariaDb, MemoryCharge texts) {
    RunningText text = activity.info();
    String info = null;
    if (text != null && full) {
      texts.grow((long) text.length() * BYTES_OF_BYTE);
      info = text.shown();
    } else if (text != null) {
      info = text.shown(SHORT_INFO);
    }
    var row = new ArrayList<@Nullable String>();
    row.add(Integer.toString(activity.id()));
    row.add(activity.user());
    row.add(activity.host());
    row.add(activity.database());
    row.add(activity.command());
    row.add(Long.toString(activity.seconds()));
    row.add(state);
    row.add(info);
    if (isMariaDb) {
      row.add("0.000");
    }
    return row;
  }
}
