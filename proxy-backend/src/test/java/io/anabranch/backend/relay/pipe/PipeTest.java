package io.anabranch.backend.relay.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ProxyProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of several sessions on one connection, and all that can come between. */
class PipeTest {

  private static final long PLAIN = Capability.PROTOCOL_41 | Capability.TRANSACTIONS;
  private static final long OK_AS_EOF = PLAIN | Capability.DEPRECATE_EOF | Capability.SESSION_TRACK;

  private static final long LEAVES_OUT = OK_AS_EOF | Capability.MARIADB_CACHE_METADATA;

  private final PipeBed bed = new PipeBed(OK_AS_EOF, Sharing.of(4, false));

  private static List<String> told(PipeBed of) {
    return of.sessions.stream().map(session -> String.join(",", session.told)).toList();
  }

  private List<String> told() {
    return told(bed);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 11, 64, 100_000})
  void answersGoToTheirSessionsInWhateverPieces(int partLength) {
    for (long capabilities : new long[] {PLAIN, OK_AS_EOF}) {
      var pair = new PipeBed(capabilities, Sharing.of(4, false));
      PipeBed.Server server = pair.desk.opens();
      for (int i = 0; i < 4; i++) {
        pair.reads("text " + i);
      }
      pair.turn();
      server.answersAll(partLength);
      assertThat(told(pair)).containsOnly("answered");
      assertThat(server.log).containsExactly("released");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 11, 64, 100_000})
  void executionsShareAConnectionThatHasTheirStatement(int partLength) {
    for (long capabilities : new long[] {PLAIN, OK_AS_EOF, LEAVES_OUT}) {
      var pair = new PipeBed(capabilities, Sharing.of(8, false));
      PipeBed.Server server = pair.desk.opens();
      server.prepares("mine");
      for (int i = 0; i < 2; i++) {
        pair.reads("text " + i);
        pair.executes("mine");
        pair.executes("mine").withdraws();
        pair.executes("mine");
      }
      pair.turn();
      server.works(4);
      pair.alters();
      server.answersAll(partLength);
      assertThat(told(pair))
          .containsExactly(
              "answered", "answered", "", "answered", "answered", "answered", "", "answered");
      assertThat(server.log).containsExactly("released");
    }
  }

  /** Databases are created and dropped while nobody shares, so that nothing else looks. */
  @Test
  void dataSourcesThatAreGoneAreForgotten() {
    var bed = new PipeBed(PLAIN, Sharing.of(ProxyProperties.PIPELINE_AUTO, true));
    for (int i = 0; i < 100; i++) {
      bed.readsFromOthers("text").ends();
      bed.passes(1000);
    }
    assertThat(bed.pipes.rooms()).isLessThan(15);
  }

  @Test
  void columnsAreKnownThoughNobodyGotThem() {
    var pair = new PipeBed(LEAVES_OUT, Sharing.of(8, false));
    PipeBed.Server server = pair.desk.opens();
    server.prepares(PipeBed.WARNS);
    server.prepares("mine");
    pair.alters();
    pair.executes(PipeBed.WARNS);
    pair.executes(PipeBed.WARNS);
    pair.executes("mine").withdraws();
    pair.executes("mine");
    pair.turn();
    server.answersAll(20);
    assertThat(told(pair)).containsExactly("WARNED", "WARNED", "", "answered");
  }

  @Test
  void whatIsNotPreparedThereRunsAlone() {
    PipeBed.Server server = bed.desk.opens();
    bed.executes("mine");
    assertThat(told()).containsExactly("UNPREPARED");
    server.prepares("mine");
    bed.reads("text");
    bed.executes("other");
    bed.executes("mine");
    bed.turn();
    assertThat(server.hears()).containsExactly("text", "mine");
    server.answersAll(100);
    bed.desk.serves();
    assertThat(told()).containsExactly("UNPREPARED", "answered", "UNPREPARED", "answered");
  }

  @Test
  void whatComesInOneTurnLeavesTogether() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("a");
    bed.reads("b");
    assertThat(server.hears()).isEmpty();
    bed.turn();
    assertThat(server.hears()).containsExactly("a", "b");
    bed.reads("c");
    bed.turn();
    assertThat(server.hears()).containsExactly("c");
    server.answersAll(10);
    assertThat(told()).containsOnly("answered");
  }

  @Test
  void noMoreThanTheDepthIsUnderWay() {
    PipeBed.Server server = bed.desk.opens();
    IntStream.range(0, 9).forEach(i -> bed.reads("text " + i));
    bed.turn();
    assertThat(server.hears()).hasSize(4);
    server.works(1);
    server.says(1000, 1000);
    bed.turn();
    assertThat(server.hears()).containsExactly("text 4");
    while (server.isLeased()) {
      server.answersAll(1000);
      bed.turn();
      bed.desk.serves();
    }
    assertThat(told()).containsOnly("answered").hasSize(9);
  }

  @Test
  void byLoadTheFirstRunAlone() {
    var byLoad = new PipeBed(OK_AS_EOF, Sharing.of(-1, false));
    PipeBed.Server server = byLoad.desk.opens();
    for (int i = 0; i < 7; i++) {
      byLoad.reads("text " + i);
    }
    byLoad.turn();
    assertThat(told(byLoad)).containsExactly("lone", "lone", "lone", "lone", "", "", "");
    assertThat(server.hears()).containsExactly("text 4", "text 5", "text 6");
    byLoad.sessions.getFirst().ends();
    byLoad.sessions.getFirst().ends();
    byLoad.reads("another");
    byLoad.turn();
    assertThat(server.hears()).as("three alone, and those who share").containsExactly("another");
    byLoad.sessions.get(1).ends();
    byLoad.reads("alone again");
    assertThat(told(byLoad).getLast()).isEqualTo("lone");
    server.answersAll(10);
    byLoad.reads("and again");
    assertThat(told(byLoad).getLast()).isEqualTo("lone");
    assertThat(server.log).containsExactly("released");
  }

  @Test
  void byLoadQuickOnesShareFurther() {
    for (boolean isQuick : new boolean[] {false, true}) {
      var byLoad = new PipeBed(OK_AS_EOF, Sharing.of(-1, isQuick));
      PipeBed.Server first = byLoad.desk.opens();
      PipeBed.Server second = byLoad.desk.opens();
      for (int i = 0; i < 4 + 20; i++) {
        byLoad.reads("text " + i);
      }
      byLoad.turn();
      assertThat(first.hears()).hasSize(isQuick ? 20 : 8);
      assertThat(second.hears()).hasSize(isQuick ? 0 : 8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PipeBed.WARNS, PipeBed.FAILS, PipeBed.FAILS_LATE})
  void whatIsMoreThanRowsIsRunAgainAlone(String how) {
    for (int partLength : new int[] {1, 9, 100_000}) {
      var pair = new PipeBed(OK_AS_EOF, Sharing.of(4, false));
      PipeBed.Server server = pair.desk.opens();
      pair.reads("before");
      pair.reads(how + "it");
      pair.reads("behind");
      pair.turn();
      server.answersAll(partLength);
      String why = how.equals(PipeBed.WARNS) ? "WARNED" : "FAILED";
      assertThat(told(pair)).containsExactly("answered", why, "answered");
      assertThat(server.log).containsExactly("released");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PipeBed.CHANGES, PipeBed.OPENS})
  void aConnectionThatIsNotWhatItWasIsGivenUp(String how) {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("before");
    bed.reads(how + "it");
    bed.reads("behind");
    bed.turn();
    server.answersAll(50);
    assertThat(told()).containsExactly("answered", "CHANGED", "GIVEN_UP");
    assertThat(server.log).containsExactly("discarded");
  }

  @Test
  void aLongAnswerIsForNobody() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("before");
    bed.reads(PipeBed.LARGE + "it");
    bed.reads("behind");
    bed.turn();
    server.answersAll(1000);
    assertThat(told()).containsExactly("answered", "LARGE", "GIVEN_UP");
    assertThat(server.log).containsExactly("discarded");
  }

  @Test
  void whoIsBehindASlowOneGoesElsewhere() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("slow");
    bed.reads("behind");
    bed.turn();
    bed.passes(15);
    assertThat(told()).containsExactly("", "");
    bed.passes(20);
    assertThat(told()).containsExactly("", "BEHIND_SLOW");
    bed.reads("new");
    assertThat(bed.desk.line).as("it waits for another connection").hasSize(1);
    server.answersAll(7);
    assertThat(told()).containsExactly("answered late", "BEHIND_SLOW", "");
    assertThat(server.log).containsExactly("released");
    bed.desk.serves();
    bed.turn();
    server.answersAll(7);
    assertThat(told().getLast()).isEqualTo("answered");
  }

  /** One after the other, each of which takes so long. */
  private void usual(PipeBed.Server server, int times, long milliseconds) {
    for (int i = 0; i < times; i++) {
      bed.reads("usual");
      bed.turn();
      bed.passes(milliseconds);
      server.answersAll(1000);
    }
    assertThat(server.isLeased()).isFalse();
    bed.sessions.clear();
  }

  /** Milliseconds of the loop's time until somebody behind one that takes forever is sent away. */
  private int untilSlow(PipeBed.Server server) {
    bed.reads("slow");
    bed.reads("behind");
    bed.turn();
    int passed = 0;
    while (bed.sessions.getLast().isWaiting()) {
      bed.passes(1);
      passed++;
    }
    assertThat(told()).containsExactly("", "BEHIND_SLOW");
    server.answersAll(1000);
    bed.sessions.clear();
    return passed;
  }

  @Test
  void besideQuickOnesASlowOneIsFoundSoon() {
    PipeBed.Server server = bed.desk.opens();
    for (int phase = 0; phase < 20; phase++) {
      usual(server, 80, phase % 3);
      bed.passes(phase);
      assertThat(untilSlow(server)).isBetween(20, 30);
    }
  }

  @Test
  void whereAllTakeLongOneThatTakesALittleLongerIsNoSlowOne() {
    PipeBed.Server server = bed.desk.opens();
    usual(server, 20, 15);
    bed.reads("a little longer");
    bed.reads("behind");
    bed.turn();
    bed.passes(25);
    server.works(1);
    server.says(1000, 1000);
    bed.passes(15);
    server.answersAll(1000);
    assertThat(told()).containsExactly("answered", "answered");
    bed.sessions.clear();
    assertThat(untilSlow(server)).isBetween(30, 50);
  }

  @Test
  void whenTheDatabaseIsQuickAgainASlowOneIsFoundSoonAgain() {
    PipeBed.Server server = bed.desk.opens();
    usual(server, 50, 200);
    assertThat(untilSlow(server)).isBetween(50, 70);
    usual(server, 1000, 1);
    assertThat(untilSlow(server)).isBetween(20, 30);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 9, 10, 15, 19})
  void aLoopThatStandsStillSendsNobodyAway(int before) {
    PipeBed.Server server = bed.desk.opens();
    for (int i = 0; i < 4; i++) {
      bed.reads("text " + i);
    }
    bed.turn();
    bed.passes(before);
    bed.time.advanceBy(500, TimeUnit.MILLISECONDS);
    bed.turn();
    assertThat(told()).as("they may be answered").containsOnly("");
    server.answersAll(1000);
    assertThat(told()).containsOnly("answered");
  }

  @Test
  void aLoopThatIsAlwaysLateFindsASlowOneYet() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("slow");
    bed.reads("behind");
    bed.turn();
    for (int i = 0; i < 3; i++) {
      assertThat(told()).containsOnly("");
      bed.time.advanceBy(30, TimeUnit.MILLISECONDS);
      bed.turn();
    }
    assertThat(told()).containsExactly("", "BEHIND_SLOW");
    server.answersAll(1000);
    assertThat(told()).containsExactly("answered late", "BEHIND_SLOW");
  }

  @Test
  void whoGoesTakesNobodyAlong() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("before");
    PipeBed.Session goes = bed.reads("goes");
    bed.reads("behind");
    bed.turn();
    goes.withdraws();
    bed.passes(15);
    server.answersAll(3);
    assertThat(told()).containsExactly("answered", "", "answered");
    assertThat(server.log).containsExactly("released");
  }

  @Test
  void whatNobodyWaitsForIsEndedWhenNobodyElseIsThere() {
    PipeBed.Server server = bed.desk.opens();
    PipeBed.Session goes = bed.reads("goes");
    bed.reads("behind");
    bed.turn();
    goes.withdraws();
    bed.passes(40);
    assertThat(told()).containsExactly("", "GIVEN_UP");
    assertThat(server.log).containsExactly("interrupted", "discarded");
  }

  @Test
  void whoeverHasNoAnswerWhenTheConnectionBreaksRunsAgain() {
    int length = 0;
    for (int cut = 0; cut == 0 || cut < length; cut++) {
      var pair = new PipeBed(OK_AS_EOF, Sharing.of(4, false));
      PipeBed.Server server = pair.desk.opens();
      var ends = new ArrayList<Integer>();
      for (int i = 0; i < 3; i++) {
        pair.reads("text " + i);
        ends.add((ends.isEmpty() ? 0 : ends.getLast()) + pair.answer("text " + i).length);
      }
      length = ends.getLast();
      pair.turn();
      server.works(3);
      server.says(cut, 1);
      server.breaks();
      for (int i = 0; i < 3; i++) {
        assertThat(pair.sessions.get(i).told)
            .as("cut at " + cut)
            .containsExactly(cut >= ends.get(i) ? "answered" : "LOST");
      }
      assertThat(server.log).containsExactly("discarded");
    }
  }

  @Test
  void bytesThatNobodyAskedForEndTheConnection() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("text");
    bed.turn();
    server.works(1);
    byte[] twice = bed.answer("other");
    byte[] all = new byte[bed.answer("text").length + twice.length];
    System.arraycopy(bed.answer("text"), 0, all, 0, bed.answer("text").length);
    System.arraycopy(twice, 0, all, bed.answer("text").length, twice.length);
    bed.loop.within(() -> server.connection.says(all, all.length));
    assertThat(told()).containsExactly("answered");
    assertThat(server.log).containsExactly("discarded");
  }

  @Test
  void otherSettingsDoNotShare() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("mine");
    SessionSettings others = SessionSettings.INITIAL.with("time_zone", "'+05:00'");
    bed.reads("other", others);
    bed.turn();
    server.answersAll(10);
    assertThat(told()).containsExactly("answered", "");
    bed.desk.serves();
    assertThat(told()).containsExactly("answered", "SETTINGS");
    assertThat(server.log).containsExactly("released", "released");
  }

  @Test
  void whoWaitsGetsWhatTheRequestGets() {
    bed.reads("first");
    bed.passes(100);
    bed.reads("late");
    bed.desk.refuses(ErrorCatalogue.LEASE_TIMEOUT.refuse("ds_0", 100));
    assertThat(told()).containsExactly("refused", "NO_CONNECTION");
    bed.reads("first");
    bed.passes(100);
    bed.reads("late");
    bed.desk.refuses(ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "gone"));
    assertThat(told().subList(2, 4)).containsExactly("refused", "refused");
  }

  @Test
  void whoHasGoneNeedsNoConnection() {
    bed.reads("goes").withdraws();
    PipeBed.Server server = bed.desk.opens();
    bed.desk.serves();
    assertThat(server.log).containsExactly("released");
    assertThat(server.hears()).isEmpty();
  }

  @Test
  void othersWhoWaitGetTheConnection() {
    PipeBed.Server server = bed.desk.opens();
    bed.desk.isWanted = true;
    bed.reads("first");
    bed.turn();
    bed.passes(4);
    bed.reads("second");
    bed.turn();
    assertThat(server.hears()).containsExactly("first", "second");
    bed.passes(4);
    bed.reads("third");
    bed.turn();
    assertThat(server.hears()).isEmpty();
    server.answersAll(10);
    assertThat(server.log).containsExactly("released");
    assertThat(told()).containsExactly("answered", "answered", "");
  }

  @Test
  void noConnectionStaysForEver() {
    PipeBed.Server server = bed.desk.opens();
    bed.reads("0");
    bed.turn();
    int step = 0;
    while (server.log.isEmpty()) {
      bed.passes(10);
      bed.reads("" + ++step);
      bed.turn();
      server.works(1);
      server.says(1000, 1000);
      assertThat(step).isLessThan(200);
    }
    assertThat(server.log).containsExactly("released");
  }
}
