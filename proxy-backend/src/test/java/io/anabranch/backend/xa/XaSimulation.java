package io.anabranch.backend.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.fakes.VirtualTime;
import io.anabranch.backend.xa.SimulatedConnection.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run: three proxies, two data sources and a third that has the log, too, and clients'
 * transactions over some of them. What happens next is drawn by lot, down to when a statement
 * arrives, takes its locks, commits and is answered, and what goes wrong in between.
 */
final class XaSimulation {

  private static final int STEPS = 1000;
  private static final int MOST_TRANSACTIONS = 20;
  private static final int MOST_TROUBLES = 8;
  private static final int PROCESSES = 3;
  private static final int MOST_STEPS_TO_HEAL = 60_000;

  /** How far a replica that takes over is behind, in milliseconds. */
  private static final long MOST_LAG = SimulatedProcess.RETENTION / 4;

  private final Random random;
  private final boolean isTraced;
  private final Map<String, Integer> tally;
  private final StringBuilder trace = new StringBuilder();
  private final VirtualTime time = new VirtualTime();
  private final LogTables log = new LogTables(time);
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final List<SimulatedTransaction> transactions = new ArrayList<>();

  /** How often each process and its connections have their turn, until it is drawn anew. */
  private final Map<SimulatedProcess, Integer> paces = new LinkedHashMap<>();

  private @Nullable AssertionError wrong;
  private int troubles;
  private int lives;

  /**
   * @param tally counts what has happened, by name
   */
  XaSimulation(long seed, boolean isTraced, Map<String, Integer> tally) {
    this.random = new Random(seed);
    this.isTraced = isTraced;
    this.tally = tally;
    for (String name : List.of("a", "b", "log")) {
      servers.add(
          new SimulatedServer(
              name, random.nextBoolean(), random, time, name.equals("log") ? log : null));
    }
    for (int i = 0; i < PROCESSES; i++) {
      begin("n" + i);
    }
  }

  private void begin(String node) {
    processes.add(new SimulatedProcess(this, node, ++lives, new Random(random.nextLong())));
  }

  VirtualTime time() {
    return time;
  }

  List<SimulatedServer> servers() {
    return servers;
  }

  SimulatedServer server(String name) {
    return servers.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
  }

  void note(@Nullable Object... what) {
    if (isTraced) {
      trace.append(TimeUnit.NANOSECONDS.toMillis(time.nanoTime())).append(" ms");
      for (Object each : what) {
        trace.append(' ').append(each);
      }
      trace.append('\n');
    }
  }

  /** Fails the run by that. */
  AssertionError wrong(AssertionError what) {
    if (wrong == null) {
      wrong = what;
    }
    return what;
  }

  /** What happened, line by line. */
  String trace() {
    return trace.toString();
  }

  private void count(String what, Object of) {
    tally.merge(what, 1, Integer::sum);
    note(what + ":", of);
  }

  /** Fails by an {@link AssertionError} where something is not as promised. */
  void run() {
    try {
      for (int i = 0; i < STEPS; i++) {
        step(true);
      }
      heal();
      check();
    } finally {
      processes.forEach(SimulatedProcess::kill);
    }
  }

  // ---------------------------------------------------------------- what happens

  private void step(boolean inTrouble) {
    if (wrong != null) {
      throw wrong;
    }
    if (inTrouble && troubles < MOST_TROUBLES && random.nextInt(80) == 0) {
      troubles++;
      trouble();
    }
    if (random.nextInt(120) == 0) {
      servers.forEach(server -> server.isReachable = true);
    }
    if (inTrouble && transactions.size() < MOST_TRANSACTIONS && random.nextInt(16) == 0) {
      transaction();
    }
    if (random.nextInt(60) == 0) {
      paces.clear();
    }
    List<Runnable> steps = random.nextInt(80) == 0 ? List.of() : stepsOfNext();
    if (steps.isEmpty()) {
      advance();
    } else {
      anyOf(steps).run();
    }
  }

  /** What the process whose turn it is can do; nothing if nobody has anything to do. */
  private List<Runnable> stepsOfNext() {
    var busy = new LinkedHashMap<SimulatedProcess, List<Runnable>>();
    int sum = 0;
    for (SimulatedProcess process : processes) {
      List<Runnable> steps = steps(process);
      if (!steps.isEmpty()) {
        busy.put(process, steps);
        sum += pace(process);
      }
    }
    int left = sum == 0 ? 0 : random.nextInt(sum);
    for (Map.Entry<SimulatedProcess, List<Runnable>> each : busy.entrySet()) {
      left -= pace(each.getKey());
      if (left < 0) {
        return each.getValue();
      }
    }
    return List.of();
  }

  private <T> T anyOf(List<T> several) {
    return several.get(random.nextInt(several.size()));
  }

  private int pace(SimulatedProcess of) {
    return paces.computeIfAbsent(of, _ -> 1 << (2 * random.nextInt(4)));
  }

  private List<Runnable> steps(SimulatedProcess process) {
    var steps = new ArrayList<Runnable>();
    process.addSteps(steps);
    for (SimulatedServer server : servers) {
      for (SimulatedConnection connection : server.connections) {
        Event event = connection.isOf(process) ? connection.next() : null;
        if (event != null) {
          steps.add(() -> connection.happen(event));
        }
      }
    }
    return steps;
  }

  /** To the next moment when somebody has something to do, or somewhere in between. */
  private void advance() {
    long next =
        processes.stream()
            .mapToLong(SimulatedProcess::nextDue)
            .filter(due -> due > time.nanoTime())
            .min()
            .orElse(time.nanoTime());
    time.advanceTo(next);
    time.advanceBy(random.nextInt(60), TimeUnit.MILLISECONDS);
  }

  private void transaction() {
    List<SimulatedProcess> awake = processes.stream().filter(SimulatedProcess::isAwake).toList();
    if (awake.isEmpty()) {
      return;
    }
    SimulatedProcess process = anyOf(awake);
    if (!process.isRegistered() && random.nextInt(20) > 0) {
      return;
    }
    var chosen = new ArrayList<>(servers);
    Collections.shuffle(chosen, random);
    var transaction =
        new SimulatedTransaction(
            process, List.copyOf(chosen.subList(0, 2 + random.nextInt(2))), random);
    transactions.add(transaction);
    process.loop().execute(transaction::run);
  }

  private void trouble() {
    SimulatedServer server = anyOf(servers);
    SimulatedProcess process = anyOf(processes);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> {
        if (!server.connections.isEmpty()) {
          count("a connection breaks", server);
          anyOf(server.connections).breaks(random.nextBoolean());
        }
      }
      case 3, 4 -> kill(process);
      case 5 -> {
        if (process.isAwake()) {
          count("a process stands still", process);
          long milliseconds = random.nextLong(3 * SimulatedProcess.NODE_TIMEOUT);
          process.pauseUntil(time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds));
        }
      }
      case 6 -> {
        count("a database starts again", server);
        server.restart();
      }
      case 7, 8 -> {
        count("a replica takes over", server);
        server.failOver(TimeUnit.MILLISECONDS.toNanos(random.nextLong(MOST_LAG)));
      }
      default -> {
        count("out of reach", server);
        server.isReachable = false;
        List.copyOf(server.connections).forEach(each -> each.breaks(random.nextBoolean()));
      }
    }
  }

  private void kill(SimulatedProcess process) {
    if (process.isKilled()) {
      return;
    }
    count("a process is killed", process);
    process.kill();
    for (SimulatedServer server : servers) {
      for (SimulatedConnection connection : List.copyOf(server.connections)) {
        if (connection.isOf(process)) {
          connection.breaks(random.nextBoolean());
        }
      }
    }
    if (random.nextInt(3) > 0) {
      begin(process.node());
    }
  }

  /** No more trouble: whoever is alive brings everything to an end. */
  private void heal() {
    note("no more trouble");
    servers.forEach(server -> server.isReachable = true);
    processes.forEach(process -> process.pauseUntil(time.nanoTime()));
    if (processes.stream().allMatch(SimulatedProcess::isKilled)) {
      begin("n0");
    }
    for (int i = 0; !isWhole(); i++) {
      assertThat(i)
          .as("steps until nothing is in doubt; open: %s, log: %s", open(), log.log())
          .isLessThan(MOST_STEPS_TO_HEAL);
      step(false);
    }
  }

  private boolean isWhole() {
    return log.log().isEmpty()
        && open().isEmpty()
        && transactions.stream().allMatch(SimulatedTransaction::isOver);
  }

  private List<String> open() {
    return servers.stream().flatMap(server -> server.open().stream()).toList();
  }

  // ---------------------------------------------------------------- what must hold

  private void check() {
    for (SimulatedTransaction transaction : transactions) {
      transaction.check();
      tally.merge("told " + transaction.told(), 1, Integer::sum);
    }
  }
}
