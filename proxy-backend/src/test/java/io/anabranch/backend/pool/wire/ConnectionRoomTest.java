package io.anabranch.backend.pool.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionRoomTest {

  /** Of 28 pools that keep their connections. */
  private final ConnectionRoom room = new ConnectionRoom(4 << 20);

  /** Holds some connections, all of them idle. */
  private static final class Idle implements ConnectionRoom.Pool {

    private final ConnectionRoom room;
    private final long lastUsed;
    private int idle;
    private boolean keepsNone;

    Idle(ConnectionRoom room, long lastUsed) {
      this.room = room;
      this.lastUsed = lastUsed;
      room.join(this);
    }

    void open(int connections) throws SQLException {
      for (int i = 0; i < connections; i++) {
        room.enter(0);
        idle++;
      }
    }

    @Override
    public long lastUsed() {
      return lastUsed;
    }

    @Override
    public boolean hasIdle() {
      return idle > 0;
    }

    @Override
    public void closeIdle() {
      for (; idle > 0; idle--) {
        room.left();
      }
    }

    @Override
    public void keepNone() {
      keepsNone = true;
    }
  }

  private List<Idle> pools(int count) {
    var pools = new ArrayList<Idle>();
    for (int i = 0; i < count; i++) {
      pools.add(new Idle(room, 0));
    }
    return pools;
  }

  @Test
  void whoNeedsOneMoreHasThoseClosedThatWereUsedTheLongestAgo() throws SQLException {
    var room = new ConnectionRoom(4 << 20);
    long now = System.nanoTime();
    var recent = new Idle(room, now - 10);
    var longAgo = new Idle(room, now - 30);
    var between = new Idle(room, now - 20);
    recent.open(10);
    longAgo.open(5);
    between.open(room.limit() - 15);
    recent.open(1);
    assertThat(longAgo.idle).isZero();
    assertThat(between.idle).isEqualTo(room.limit() - 15);
    assertThat(recent.idle).isEqualTo(11);
  }

  @Test
  void isRefusedWhereAllAreInUse() throws SQLException {
    var room = new ConnectionRoom(4 << 20);
    for (int i = room.limit(); i > 0; i--) {
      room.enter(0);
    }
    assertThatThrownBy(() -> room.enter(20))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("no memory for another connection")
        .hasMessageContaining("more heap");
    room.enterAnyway();
    room.left();
    room.left();
    room.enter(0);
  }

  @Test
  void tooManyPoolsKeepNoConnections() {
    List<Idle> fit = pools(28);
    assertThat(room.isCrowded()).isFalse();
    assertThat(fit).noneMatch(pool -> pool.keepsNone);
    List<Idle> more = pools(1);
    assertThat(room.isCrowded()).isTrue();
    assertThat(fit).allMatch(pool -> pool.keepsNone);
    more.forEach(room::leave);
    assertThat(room.isCrowded()).isFalse();
  }

  @Test
  void poolsLeaveAPartToConnectionsHoweverManyThereAre() {
    var room = new ConnectionRoom(4 << 20);
    int alone = room.limit();
    for (int i = 0; i < 1000; i++) {
      new Idle(room, 0);
    }
    assertThat(room.limit()).isPositive().isLessThan(alone);
  }
}
