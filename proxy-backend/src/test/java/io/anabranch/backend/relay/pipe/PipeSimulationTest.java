package io.anabranch.backend.relay.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens in whatever order: each statement is told of once, gets its own answer or none,
 * and every connection goes back or is closed.
 */
class PipeSimulationTest {

  private static final long PLAIN = Capability.PROTOCOL_41 | Capability.TRANSACTIONS;

  private static final List<String> TEXTS =
      List.of(
          "text ",
          "text ",
          "text ",
          "text ",
          "text ",
          "text ",
          "text ",
          "text ",
          PipeBed.WARNS,
          PipeBed.FAILS,
          PipeBed.FAILS_LATE,
          PipeBed.CHANGES,
          PipeBed.OPENS,
          PipeBed.LARGE);

  /** As MySQL and MariaDB, and what came before them. */
  private static final List<Long> SERVERS =
      List.of(
          PLAIN,
          PLAIN | Capability.DEPRECATE_EOF,
          PLAIN | Capability.DEPRECATE_EOF | Capability.MARIADB_CACHE_METADATA);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, -1})
  void everyStatementIsToldOfOnce(int depth) {
    for (int seed = 0; seed < 90; seed++) {
      try {
        run(new Random(seed * 31L + depth), Sharing.of(depth, false), SERVERS.get(seed % 3));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void run(Random random, Sharing sharing, long capabilities) {
    var bed = new PipeBed(capabilities, sharing);
    for (int step = 0; step < 300; step++) {
      act(bed, random, step);
    }
    end(bed);
    for (PipeBed.Session session : bed.sessions) {
      if (session.isWithdrawn()) {
        assertThat(session.told).isEmpty();
      } else {
        assertThat(session.told).as(session.text).hasSize(1);
      }
    }
    assertThat(bed.desk.all).noneMatch(PipeBed.Server::isLeased);
  }

  private static void act(PipeBed bed, Random random, int step) {
    int servers = bed.desk.all.size();
    PipeBed.Server server = servers == 0 ? null : bed.desk.all.get(random.nextInt(servers));
    switch (random.nextInt(23)) {
      case 0, 1, 2, 3, 4, 5 -> {
        String text = TEXTS.get(random.nextInt(TEXTS.size())) + step;
        boolean isOther = random.nextInt(12) == 0;
        bed.reads(
            text,
            isOther
                ? SessionSettings.INITIAL.with("time_zone", "'+05:00'")
                : SessionSettings.INITIAL);
      }
      case 6 -> {
        if (servers < 4) {
          bed.desk.opens();
        }
        bed.desk.serves();
      }
      case 7, 8, 9, 10 -> {
        if (server != null) {
          server.works(random.nextInt(4));
          server.says(random.nextInt(2000), 1 + random.nextInt(600));
        }
      }
      case 11 -> bed.passes(random.nextInt(30));
      case 12 -> {
        if (!bed.sessions.isEmpty()) {
          PipeBed.Session session = bed.sessions.get(random.nextInt(bed.sessions.size()));
          if (session.isWaiting()) {
            session.withdraws();
          }
        }
      }
      case 13 -> {
        if (server != null && random.nextInt(6) == 0) {
          server.breaks();
        }
      }
      case 14 -> bed.desk.isWanted = random.nextBoolean();
      case 21 ->
          bed.sessions.stream()
              .filter(session -> session.told.contains(PipeBed.LONE))
              .forEach(PipeBed.Session::ends);
      case 15 -> {
        if (random.nextInt(4) == 0) {
          bed.alters();
        }
      }
      case 16, 17, 18, 19 -> bed.executes(statement(random));
      case 20 -> {
        if (server != null && !server.isLeased()) {
          server.prepares(statement(random));
        }
      }
      default -> {
        if (!bed.desk.line.isEmpty() && random.nextInt(4) == 0) {
          bed.desk.refuses(ErrorCatalogue.LEASE_TIMEOUT.refuse("ds_0", 1));
        }
      }
    }
    if (random.nextInt(3) > 0) {
      bed.turn();
    }
  }

  /** One of a few that are executed again and again. */
  private static String statement(Random random) {
    return TEXTS.get(random.nextInt(TEXTS.size())) + "of " + random.nextInt(2);
  }

  private static void end(PipeBed bed) {
    bed.desk.isWanted = false;
    for (int round = 0; round < 1000 && isUnderWay(bed); round++) {
      bed.turn();
      if (bed.desk.free.isEmpty() && bed.desk.all.stream().noneMatch(PipeBed.Server::isLeased)) {
        bed.desk.opens();
      }
      bed.desk.serves();
      bed.turn();
      bed.desk.all.forEach(server -> server.answersAll(4096));
    }
  }

  private static boolean isUnderWay(PipeBed bed) {
    return bed.sessions.stream().anyMatch(PipeBed.Session::isWaiting)
        || bed.desk.all.stream().anyMatch(PipeBed.Server::isLeased);
  }
}
