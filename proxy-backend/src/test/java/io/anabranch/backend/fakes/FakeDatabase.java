package io.anabranch.backend.fakes;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A data source that answers statements as it was told to (OK for all others), keeps track of its
 * transaction as a server does, and writes down what was sent and what became of its leases.
 */
public final class FakeDatabase {

  private static final int IN_TRANSACTION = 1;

  private final String name;
  private final Map<String, Answer> answers = new LinkedHashMap<>();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private volatile int warnings;
  private volatile boolean inTransaction;
  private volatile boolean closed;
  private boolean atHand;
  private boolean quick;
  private final List<Runnable> unanswered = new ArrayList<>();

  public FakeDatabase(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  /** Statements in their order; {@code +release} and {@code +discard} for the ends of leases. */
  public List<String> log() {
    return List.copyOf(log);
  }

  /** What its results with rows warn of: each is a row of SHOW WARNINGS. */
  public FakeDatabase warns(List<byte[]> rows) {
    warnings = rows.size();
    return rows("SHOW WARNINGS", List.of(), rows);
  }

  public FakeDatabase rows(String sql, List<ResultColumn> columns, List<byte[]> rows) {
    answers.put(sql, new Answer.Rows(columns, rows, null));
    return this;
  }

  /** Rows, then an error in the place of the end. */
  public FakeDatabase rowsThen(
      String sql, List<ResultColumn> columns, List<byte[]> rows, ShardException failure) {
    answers.put(sql, new Answer.Rows(columns, rows, failure));
    return this;
  }

  public FakeDatabase ok(String sql, long affectedRows, long insertId, int warnings, String info) {
    answers.put(sql, new Answer.Done(affectedRows, insertId, warnings, info));
    return this;
  }

  public FakeDatabase fails(String sql, ShardException failure) {
    answers.put(sql, new Answer.Failure(failure));
    return this;
  }

  /** Its leases need not be waited for, and send without waiting. */
  public FakeDatabase atHand() {
    atHand = true;
    return this;
  }

  /** The same, and answers while it is still being sent to. */
  public FakeDatabase quick() {
    quick = true;
    return atHand();
  }

  boolean isAtHand() {
    return atHand;
  }

  /** Answers what was sent without waiting. */
  public void answer() {
    List.copyOf(unanswered).forEach(Runnable::run);
    unanswered.clear();
  }

  /** The server closes all connections. */
  public void close() {
    closed = true;
  }

  public Lease lease() {
    return new FakeLease();
  }

  private sealed interface Answer {
    record Rows(List<ResultColumn> columns, List<byte[]> rows, @Nullable ShardException failure)
        implements Answer {}

    record Done(long affectedRows, long insertId, int warnings, String info) implements Answer {}

    record Failure(ShardException failure) implements Answer {}
  }

  private final class FakeLease implements Lease, ShardConnection {

    private SessionSettings applied = SessionSettings.INITIAL;
    private boolean isBusy;
    private volatile boolean isOver;
    private volatile boolean isBroken;

    @Override
    public String logicalDatabase() {
      return "fake";
    }

    @Override
    public String dataSource() {
      return name;
    }

    @Override
    public @Nullable BackendConnection connection() {
      return null;
    }

    @Override
    public boolean isLost() {
      return closed;
    }

    @Override
    public String database() {
      return "";
    }

    @Override
    public ShardConnection shard() {
      return this;
    }

    @Override
    public SessionSettings applied() {
      return applied;
    }

    @Override
    public void applied(SessionSettings settings) {
      applied = settings;
    }

    @Override
    public void release() {
      if (isOver) {
        return;
      }
      if (isBusy || inTransaction) {
        throw new AssertionError("released busy or in a transaction: " + log);
      }
      isOver = true;
      log.add("+release");
    }

    @Override
    public void interrupt() {
      log.add("+interrupt");
    }

    @Override
    public void discard(String reason) {
      if (isOver) {
        return;
      }
      isOver = true;
      isBroken = true;
      inTransaction = false;
      log.add("+discard");
    }

    @Override
    public ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary) {
      if (isBroken || closed) {
        inTransaction = false;
        throw new ShardException.Lost("closed", false);
      }
      if (isBusy || isOver) {
        throw new AssertionError("busy or over: " + query.sqlText() + " after " + log);
      }
      String sql = query.sqlText();
      log.add(sql);
      Answer answer = answers.getOrDefault(sql, new Answer.Done(0, 0, 0, ""));
      if (answer instanceof Answer.Failure failed) {
        throw broken(failed.failure());
      }
      if (sql.startsWith("BEGIN") || sql.startsWith("START TRANSACTION")) {
        inTransaction = true;
      } else if (sql.equals("COMMIT") || sql.equals("ROLLBACK")) {
        inTransaction = false;
      }
      return switch (answer) {
        case Answer.Rows rows -> {
          isBusy = true;
          yield new Cursor(rows.columns(), rows.rows().iterator(), rows.failure(), outcome());
        }
        case Answer.Done done ->
            new Cursor(
                List.of(),
                Collections.emptyIterator(),
                null,
                new ShardOutcome(
                    done.affectedRows(), done.insertId(), flags(), done.warnings(), done.info()));
        case Answer.Failure failed -> throw failed.failure();
      };
    }

    @Override
    public @Nullable Supplier<ShardCursor> begin(
        ShardQuery query, ExecuteParameters parameters, boolean binary, Runnable answered) {
      if (!atHand) {
        return null;
      }
      unanswered.add(answered);
      try {
        ShardCursor cursor = query(query, parameters, binary);
        if (quick) {
          answer();
        }
        return () -> cursor;
      } catch (ShardException failure) {
        return () -> {
          throw failure;
        };
      }
    }

    @Override
    public void prologue(List<byte[]> statements) {
      for (byte[] statement : statements) {
        query(ShardQuery.text(name, statement)).close();
      }
    }

    @Override
    public List<ResultColumn> describe(ShardQuery query) {
      return query(query).columns();
    }

    private ShardOutcome outcome() {
      return new ShardOutcome(0, 0, flags(), warnings, "");
    }

    private int flags() {
      return inTransaction ? IN_TRANSACTION : 0;
    }

    private ShardException broken(ShardException failure) {
      if (failure instanceof ShardException.Lost) {
        isBroken = true;
        inTransaction = false;
      }
      if (failure instanceof ShardException.Database refused && refused.endsTransaction()) {
        inTransaction = false;
      }
      return failure;
    }

    private final class Cursor implements ShardCursor {

      private final List<ResultColumn> columns;
      private final Iterator<byte[]> rows;
      private final @Nullable ShardException failure;
      private final ShardOutcome outcome;

      Cursor(
          List<ResultColumn> columns,
          Iterator<byte[]> rows,
          @Nullable ShardException failure,
          ShardOutcome outcome) {
        this.columns = columns;
        this.rows = rows;
        this.failure = failure;
        this.outcome = outcome;
      }

      @Override
      public List<ResultColumn> columns() {
        return columns;
      }

      @Override
      public byte @Nullable [] next() {
        if (isBroken) {
          throw new ShardException.Lost("closed", true);
        }
        if (rows.hasNext()) {
          return rows.next();
        }
        isBusy = false;
        if (failure != null) {
          throw broken(failure);
        }
        return null;
      }

      @Override
      public ShardOutcome outcome() {
        return outcome;
      }

      @Override
      public void close() {
        isBusy = false;
      }
    }
  }
}
