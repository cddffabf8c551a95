package io.anabranch.app.tpcc;

import io.anabranch.app.tpcc.Transactions.Card;
import io.anabranch.app.tpcc.Transactions.Input;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Clients without think times, each on one connection that it keeps until the end. */
public final class Terminals {

  private static final int DEADLOCK = 1213;
  private static final int LOCK_WAIT = 1205;

  private final Scale scale;
  private final Tally tally = new Tally();
  private final AtomicBoolean ended = new AtomicBoolean();

  public Terminals(Scale scale) {
    this.scale = scale;
  }

  /** Where a terminal gets its connection, with autocommit on. */
  public interface Door {
    Connection open() throws SQLException;
  }

  /** When a terminal has done enough. */
  public interface End {
    boolean isReached(int decks);
  }

  /** Runs {@code count} terminals until each is done; throws nothing: the tally tells. */
  public Tally run(int count, long seed, Door door, End end) throws InterruptedException {
    var threads = new ArrayList<Thread>(count);
    for (int i = 0; i < count; i++) {
      int home = i % scale.warehouses() + 1;
      var dice = new Dice(seed + i);
      threads.add(
          Thread.ofPlatform().name("terminal-" + i).start(() -> terminal(home, dice, door, end)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return tally;
  }

  private void terminal(int home, Dice dice, Door door, End end) {
    try (Connection connection = door.open()) {
      connection.setAutoCommit(false);
      var transactions = new Transactions(new Sql(connection));
      for (int decks = 0; !ended.get() && !end.isReached(decks); decks++) {
        for (Card card : deck(dice)) {
          if (ended.get() || end.isReached(decks)) {
            break;
          }
          run(connection, transactions, card, Transactions.draw(card, home, scale, dice));
        }
      }
    } catch (SQLException | RuntimeException failure) {
      ended.set(true);
      tally.failed(failure);
    }
  }

  private static List<Card> deck(Dice dice) {
    var deck = new ArrayList<Card>();
    for (Card card : Card.values()) {
      for (int i = 0; i < card.inDeck; i++) {
        deck.add(card);
      }
    }
    dice.shuffle(deck);
    return deck;
  }

  /** Until it is committed, or rolled back as it shall be; only deadlocks are tried again. */
  private void run(Connection connection, Transactions transactions, Card card, Input input)
      throws SQLException {
    long start = System.nanoTime();
    boolean isDone = false;
    while (!isDone) {
      try {
        if (transactions.run(input)) {
          connection.commit();
          tally.committed(card, System.nanoTime() - start);
        } else {
          connection.rollback();
          tally.rolledBack();
        }
        isDone = true;
      } catch (SQLException failure) {
        int errno = failure.getErrorCode();
        if (errno != DEADLOCK && errno != LOCK_WAIT) {
          throw failure;
        }
        tally.triedAgain(errno);
        connection.rollback();
      }
    }
  }
}
