package io.anabranch.backend.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StageRoomsTest {

  private final StageLine line = new StageLine(4);

  private static boolean isIn(StageLine.Asker asker) throws InterruptedException {
    return asker.await(0);
  }

  private List<StageLine.Asker> join(String user, int times) {
    var askers = new ArrayList<StageLine.Asker>();
    for (int i = 0; i < times; i++) {
      askers.add(line.join(user));
    }
    return askers;
  }

  @Test
  void oneUserLeavesARoomForAnother() throws InterruptedException {
    List<StageLine.Asker> busy = join("busy", 5);
    for (int i = 0; i < 5; i++) {
      assertThat(isIn(busy.get(i))).isEqualTo(i < 3);
    }
    assertThat(isIn(line.join("other"))).isTrue();
    assertThat(isIn(line.join("third"))).isFalse();
  }

  @Test
  void theNextRoomIsForWhoHasFewest() throws InterruptedException {
    List<StageLine.Asker> busy = join("busy", 5);
    StageLine.Asker other = line.join("other");
    StageLine.Asker again = line.join("other");
    StageLine.Asker third = line.join("third");
    assertThat(isIn(other)).isTrue();
    line.leave(busy.get(0));
    assertThat(isIn(third)).isTrue();
    line.leave(third);
    assertThat(isIn(again)).isTrue();
    assertThat(isIn(busy.get(3))).isFalse();
    line.leave(other);
    line.leave(again);
    assertThat(isIn(busy.get(3))).isTrue();
    assertThat(isIn(busy.get(4))).isFalse();
    line.leave(busy.get(2));
    assertThat(isIn(busy.get(4))).isTrue();
  }

  @Test
  void firstComeFirstServedAmongEquals() throws InterruptedException {
    List<StageLine.Asker> busy = join("busy", 6);
    line.leave(busy.get(3));
    line.leave(busy.get(0));
    assertThat(isIn(busy.get(4))).isTrue();
    assertThat(isIn(busy.get(5))).isFalse();
  }

  @Test
  void whoLeavesInTimeLeavesNothing() throws InterruptedException {
    List<StageLine.Asker> all = join("a", 3);
    all.addAll(join("b", 3));
    all.forEach(line::leave);
    for (String user : List.of("a", "b", "c", "d")) {
      assertThat(isIn(line.join(user))).isTrue();
    }
    assertThat(isIn(line.join("e"))).isFalse();
  }

  @Test
  void ofTwoRoomsOneUserMayHaveBoth() throws InterruptedException {
    var small = new StageLine(2);
    assertThat(isIn(small.join("a"))).isTrue();
    assertThat(isIn(small.join("a"))).isTrue();
  }

  @Test
  void whoIsEndedWhileWaitingLeavesTheLine() throws InterruptedException {
    var rooms = new StageRooms();
    StageRooms.Room first = rooms.enter("shop", "ds", 1, "a", () -> null);
    BlockingQueue<Object> came = new LinkedBlockingQueue<>();
    RefusedException killed = ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    assertThatThrownBy(() -> rooms.enter("shop", "ds", 1, "a", () -> killed)).isSameAs(killed);
    Thread.ofVirtual()
        .start(
            () -> {
              try (StageRooms.Room room = rooms.enter("shop", "ds", 1, "b", () -> null)) {
                came.add(room);
              }
            });
    // of another data source
    rooms.enter("shop", "other", 1, "a", () -> null).close();
    assertThat(came).isEmpty();
    first.close();
    assertThat(came.poll(10, TimeUnit.SECONDS)).isNotNull();
    rooms.enter("shop", "ds", 1, "a", () -> null).close();
  }

  @Test
  void oneConnectionIsNotEnough() {
    assertThatThrownBy(() -> new StageRooms().enter("shop", "ds", 0, "a", () -> null))
        .hasMessageContaining("maxPoolSize");
  }
}
