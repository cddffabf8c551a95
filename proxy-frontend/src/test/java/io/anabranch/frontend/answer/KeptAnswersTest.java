package io.anabranch.frontend.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.answer.TableVersions.Stamp;
import io.anabranch.rules.model.MemoryLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept, for how long, and what makes it go. */
class KeptAnswersTest {

  private static final Object RULES = new Object();
  private static final int WHOLE = 1 << 20;

  private final MemoryBudget budget = new MemoryBudget(new MemoryLimits(WHOLE, WHOLE, 100, 100));
  private long now;
  private final KeptAnswers answers = new KeptAnswers(budget.spare(), () -> now);
  private final TableVersions tables = answers.tables();
  private final SessionWrites writer = new SessionWrites();

  @BeforeEach
  void open() {
    answers.open(RULES);
  }

  private static AnswerKey key(String text) {
    return new AnswerKey(
        RULES, "shop", "app", SessionSettings.INITIAL, 0, "", text.getBytes(UTF_8), null);
  }

  private Stamp stamp(String... names) {
    return Objects.requireNonNull(tables.stamp(Set.of(names)));
  }

  private void keep(String text, int bytes, String... names) {
    answers.keep(key(text), new KeptAnswer(new byte[bytes], 1, 1, stamp(names)), 100);
  }

  private boolean has(String text) {
    return answers.find(key(text)) != null;
  }

  @Test
  void forATime() {
    keep("a", 10, "t");
    now = 99;
    assertThat(has("a")).isTrue();
    assertThat(has("b")).isFalse();
    now = 100;
    assertThat(has("a")).isFalse();
    assertThat(answers.count()).isZero();
    assertThat(budget.taken(MemoryKind.HEAP)).isZero();
  }

  @Test
  void untilOneOfItsTablesIsChanged() {
    keep("a", 10, "t", "u");
    keep("b", 10, "v");
    writer.begins(tables.of("u"));
    assertThat(has("a")).isFalse();
    assertThat(has("b")).isTrue();
    writer.begins(tables.any());
    assertThat(has("b")).isFalse();
  }

  @Test
  void nothingIsKnownWhileATableIsBeingChanged() {
    Stamp before = stamp("t");
    writer.begins(tables.of("t"));
    writer.begins(tables.of("t"));
    assertThat(tables.stamp(Set.of("t"))).isNull();
    assertThat(tables.stamp(Set.of("u"))).isNotNull();
    writer.ended(true);
    assertThat(tables.stamp(Set.of("t", "u"))).isNull();
    writer.ended(false);
    assertThat(tables.stamp(Set.of("t"))).isNotNull();
    assertThat(before.isValid()).isFalse();
    answers.keep(key("a"), new KeptAnswer(new byte[1], 1, 1, before), 100);
    assertThat(has("a")).isFalse();
  }

  @Test
  void twoWhoChangeOne() {
    var other = new SessionWrites();
    writer.begins(tables.of("t"));
    other.begins(tables.of("t"));
    writer.ended(false);
    assertThat(tables.stamp(Set.of("t"))).isNull();
    other.close(true);
    assertThat(tables.stamp(Set.of("t"))).isNull();
    other.ended(true);
    assertThat(tables.stamp(Set.of("t"))).isNotNull();
    other.begins(tables.of("t"));
    assertThat(tables.stamp(Set.of("t"))).isNotNull();
  }

  @Test
  void whoChangesItBehindAnAnswerIsWaitedFor() {
    writer.begins(tables.of("t"));
    Runnable elsewhere = writer.elsewhere();
    writer.ended(false);
    assertThat(tables.stamp(Set.of("t"))).isNull();
    elsewhere.run();
    assertThat(tables.stamp(Set.of("t"))).isNotNull();
  }

  @Test
  void tablesWithoutEndShareANumber() {
    for (int i = 0; i < TableVersions.MOST_TABLES; i++) {
      tables.of("t" + i);
    }
    assertThat(tables.of("t0")).isNotSameAs(tables.of("t1"));
    assertThat(tables.of("u")).isSameAs(tables.of("v")).isNotSameAs(tables.of("t1"));
    Stamp before = stamp("u");
    writer.begins(tables.of("v"));
    assertThat(before.isValid()).isFalse();
  }

  @Test
  void asThereIsRoom() {
    int part = WHOLE / 8 / 4;
    for (String text : List.of("a", "b", "c")) {
      keep(text, part, "t");
    }
    assertThat(has("a")).isTrue();
    keep("d", part, "t");
    assertThat(has("a")).isTrue();
    assertThat(has("b")).isFalse();
    keep("e", WHOLE / 8, "t");
    assertThat(has("e")).isFalse();
    assertThat(answers.bytes()).isEqualTo(budget.taken(MemoryKind.HEAP));
    budget.session("app").charge(MemoryKind.HEAP, "x").grow(WHOLE / 4 * 3 - answers.bytes());
    keep("f", 10, "t");
    assertThat(has("f")).isTrue();
    assertThat(answers.count()).isEqualTo(3);
    answers.close();
    assertThat(answers.bytes()).isZero();
    keep("g", 10, "t");
    answers.open(RULES);
    assertThat(has("g")).isFalse();
  }

  @Test
  void keysAreAllThatDecides() {
    AnswerKey one = key("a");
    byte[] text = "a".getBytes(UTF_8);
    SessionSettings other = SessionSettings.INITIAL.with("time_zone", "'+01:00'");
    assertThat(one).isEqualTo(key("a")).hasSameHashCodeAs(key("a"));
    assertThat(
            List.of(
                key("b"),
                new AnswerKey(
                    new Object(), "shop", "app", SessionSettings.INITIAL, 0, "", text, null),
                new AnswerKey(RULES, "x", "app", SessionSettings.INITIAL, 0, "", text, null),
                new AnswerKey(RULES, "shop", "x", SessionSettings.INITIAL, 0, "", text, null),
                new AnswerKey(RULES, "shop", "app", other, 0, "", text, null),
                new AnswerKey(RULES, "shop", "app", SessionSettings.INITIAL, 1, "", text, null),
                new AnswerKey(RULES, "shop", "app", SessionSettings.INITIAL, 0, "x", text, null),
                new AnswerKey(
                    RULES, "shop", "app", SessionSettings.INITIAL, 0, "", text, new byte[0])))
        .doesNotContain(one);
  }

  @Test
  void globalSettingsDivideSessionsByTheirAge() {
    assertThat(answers.knowsStart(-5)).isTrue();
    keep("a", 1, "t");
    answers.globalsChanged(7);
    answers.globalsChanged(3);
    assertThat(has("a")).isFalse();
    assertThat(answers.knowsStart(7)).isFalse();
    assertThat(answers.knowsStart(8)).isTrue();
  }

  @Test
  void whoAsksTheSameWaits() {
    var told = new ArrayList<@Nullable KeptAnswer>();
    AnswerFlight flight = begin("a");
    assertThat(answers.begin(key("a"), stamp("t"))).isNull();
    assertThat(answers.flight(key("a"))).isSameAs(flight);
    assertThat(answers.flight(key("b"))).isNull();
    AnswerFlight.Follower gone = told::add;
    assertThat(flight.join(told::add)).isTrue();
    assertThat(flight.join(gone)).isTrue();
    flight.leave(gone);
    writer.begins(tables.of("t"));
    assertThat(flight.join(told::add)).isFalse();
    var answer = new KeptAnswer(new byte[1], 1, 1, stamp("u"));
    answers.end(key("a"), flight, answer);
    answers.end(key("a"), flight, null);
    assertThat(told).containsExactly(answer);
    assertThat(answers.flight(key("a"))).isNull();
    assertThat(flight.join(told::add)).isFalse();
  }

  private AnswerFlight begin(String text) {
    return Objects.requireNonNull(answers.begin(key(text), stamp("t")));
  }

  @Test
  void aLaterReadIsNotForgottenWithAnEarlierOne() {
    AnswerFlight first = begin("a");
    writer.begins(tables.of("t"));
    writer.ended(false);
    AnswerFlight second = begin("a");
    answers.end(key("a"), first, null);
    assertThat(answers.flight(key("a"))).isSameAs(second);
  }
}
