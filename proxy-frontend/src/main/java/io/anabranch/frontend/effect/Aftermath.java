package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.KnownInsertId;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.VariableName;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.syntax.SessionWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a statement leaves in its connection that later statements of the session ask for, wherever
 * those run: read back before the connection goes.
 *
 * @param insertId LAST_INSERT_ID() was given a value
 * @param foundRows FOUND_ROWS() is not the number of rows that were sent
 * @param variables names of the user variables that may have been assigned
 * @param tables temporary tables may have come or gone; null: they have not
 * @param locks locks of GET_LOCK may have come or gone
 * @param keys rows may get keys before the statement fails: then LAST_INSERT_ID() tells the first
 * @param others user variables that the statement does not name may have been assigned
 */
public record Aftermath(
    boolean insertId,
    boolean foundRows,
    Set<String> variables,
    @Nullable OwnTables tables,
    boolean locks,
    boolean keys,
    boolean others) {

  public static final Aftermath NONE = new Aftermath(false, false, Set.of());

  private static final Aftermath SOME_KEYS =
      new Aftermath(false, false, Set.of(), null, false, true, false);

  public Aftermath {
    variables = Set.copyOf(variables);
  }

  /** Of a statement that is not about tables. */
  Aftermath(boolean insertId, boolean foundRows, Set<String> variables) {
    this(insertId, foundRows, variables, null, false, false, false);
  }

  public Aftermath with(@Nullable OwnTables changed) {
    return changed == null
        ? this
        : new Aftermath(insertId, foundRows, variables, changed, locks, keys, others);
  }

  public Aftermath withLocks(boolean change) {
    return change
        ? new Aftermath(insertId, foundRows, variables, tables, true, keys, others)
        : this;
  }

  /**
   * @param isRepeated it runs for each of many rows of parameters
   * @param source the same statement, asked for only where its tokens matter
   */
  public static Aftermath of(Scan scan, boolean isRepeated, Supplier<SourceText> source) {
    boolean routine = scan.kind() == StatementKind.CALL || scan.kind() == StatementKind.EXECUTE;
    boolean block = scan.kind() == StatementKind.OTHER && Pins.contains(scan, "end");
    boolean inserts = scan.kind().inserts();
    boolean sets = scan.kind() == StatementKind.SET;
    boolean setsId =
        sets && (Pins.contains(scan, "last_insert_id") || Pins.contains(scan, "identity"));
    // an INSERT tells it in its OK packet
    boolean mayGiveId = !inserts && scan.mentionsLastInsertId();
    boolean calculates = findsOther(scan);
    boolean assigns =
        scan.hasUserVariable()
            && (scan.kind() == StatementKind.CALL
                || scan.assigns()
                || (!inserts && scan.mentionsInto()));
    // whose answer is rows, and tells no id
    boolean returns = inserts && scan.mentionsReturning();
    boolean loads = scan.kind() == StatementKind.LOAD_DATA;
    boolean tells = setsId || mayGiveId || block || returns || loads;
    if (!routine && !tells && !calculates && !assigns) {
      boolean mayMakeSome = isRepeated || scan.mentionsLastInsertId() || InsertedRows.maySome(scan);
      return inserts && mayMakeSome ? SOME_KEYS : NONE;
    }
    SourceText text = source.get();
    SqlTokens tokens = text.tokens();
    return new Aftermath(
        routine
            || setsId
            || block
            || returns
            || loads
            || (mayGiveId && SessionWords.giveInsertId(tokens, tokens.all())),
        routine || calculates,
        assigns ? userVariables(text) : Set.of(),
        null,
        false,
        inserts || routine || block,
        false);
  }

  /** Whether FOUND_ROWS() is neither the rows of the answer nor what it was. */
  private static boolean findsOther(Scan scan) {
    return switch (scan.kind()) {
      case SELECT, QUERY_EXPRESSION -> scan.countsFoundRows() || scan.mentionsInto();
      case INSERT, REPLACE, TABLE_MAINTENANCE -> scan.mentionsFrom();
      case CREATE -> scan.mentionsFrom() && Pins.contains(scan, "select");
      default -> scan.countsFoundRows();
    };
  }

  private static Set<String> userVariables(SourceText text) {
    SqlTokens tokens = text.tokens();
    var names = new LinkedHashSet<String>();
    for (int at : tokens.all().where(token -> tokens.kind(token) == TokenKind.VARIABLE)) {
      VariableName variable = VariableName.of(tokens.text(at), text.mode());
      if (variable.user()) {
        names.add(variable.name());
      }
    }
    return names;
  }

  /** The same, and whatever user variables the connection has. */
  public Aftermath withAllVariables() {
    return new Aftermath(insertId, foundRows, variables, tables, locks, keys, true);
  }

  public boolean isEmpty() {
    return !insertId && !foundRows && variables.isEmpty() && tables == null && !locks && !others;
  }

  /**
   * What must run in front: {@code prologue}, and where the connection may have another
   * LAST_INSERT_ID() what gives it the session's, which a program of the statement may ask for, and
   * from which the one that the statement makes is told.
   *
   * @param asks whether a program may ask for it
   */
  public List<byte[]> after(
      List<byte[]> prologue, Lease on, Session session, CurrentStatement statement, boolean asks) {
    BackendConnection connection = on.connection();
    long own = session.diagnostics().lastInsertId();
    boolean matters = insertId || keys || asks;
    Long there = connection == null ? null : connection.insertId().get();
    if (there != null && there == own) {
      return prologue;
    }
    matters |= InsertId.definesRows(statement.scan());
    matters |= statement.scan().kind().inserts() && (there == null || mayGive(statement, there));
    if (!matters) {
      return prologue;
    }
    var all = new ArrayList<>(prologue);
    all.addAll(
        connection == null
            ? List.of(KnownInsertId.assignment(own))
            : connection.insertId().become(own));
    return all;
  }

  /** Whether the statement may give a row this key itself. */
  private static boolean mayGive(CurrentStatement statement, long key) {
    return GivenKey.isPossible(statement.scan(), statement.values().slots(), key);
  }

  /**
   * Asks the connection for what is no variable, and takes no warnings from a MariaDB server.
   * Blocks; what is returned runs on the session's event loop.
   *
   * @param mayBeKilled KILL QUERY, meant for the statement before, may end the question; it is then
   *     asked again, and in any case asked
   */
  Runnable readNumbers(Lease lease, Session session, boolean mayBeKilled) {
    if (!insertId && !foundRows && !mayBeKilled) {
      return () -> {};
    }
    long[] values = mayBeKilled ? numbersAfterKill(lease, foundRows) : numbers(lease, foundRows);
    return () -> {
      if (insertId) {
        session.diagnostics().lastInsertId(values[0]);
      }
      if (foundRows) {
        session.diagnostics().foundRows(values[1]);
      }
    };
  }

  /** Asks the connection for user variables. Blocks; as {@link #readNumbers} otherwise. */
  Runnable readVariables(Lease lease, Session session) {
    Set<String> names = others ? UserVariables.all(lease, session, variables) : variables;
    if (names.isEmpty()) {
      return () -> {};
    }
    VariableProbe.ReadBack read = VariableProbe.read(session, lease, names);
    return () -> {
      lease.applied(read.applied());
      session.settings(read.settings());
    };
  }

  /** The connection has values of them that the session does not get. */
  void leaveVariables(Lease lease) {
    lease.applied(lease.applied().unknown(variables.stream().map(UserVariables::key).toList()));
  }

  /** Something that is not seen may have changed LAST_INSERT_ID() of the connection. */
  public static void forgetInsertId(Lease lease) {
    BackendConnection connection = lease.connection();
    if (connection != null) {
      connection.insertId().forget();
    }
  }

  /** LAST_INSERT_ID() of the connection, unsigned. Blocks. */
  static long insertId(Lease lease) {
    return numbers(lease, false)[0];
  }

  /** FOUND_ROWS() of the connection. Blocks. */
  static long foundRows(Lease lease) {
    return numbers(lease, true)[1];
  }

  /** Whether a question without tables ends the warnings of the statement before, as on MySQL. */
  static boolean endsWarnings(Lease lease) {
    BackendConnection connection = lease.connection();
    return connection != null && !connection.serverVersion().contains("MariaDB");
  }

  private static long[] numbersAfterKill(Lease lease, boolean foundRows) {
    try {
      return numbers(lease, foundRows);
    } catch (ShardException.Database refused) {
      if (refused.errno() != Interruption.ERRNO) {
        throw refused;
      }
      return numbers(lease, foundRows);
    }
  }

  private static long[] numbers(Lease lease, boolean foundRows) {
    long[] values = asked(lease, foundRows);
    BackendConnection connection = lease.connection();
    if (connection != null) {
      connection.insertId().set(values[0]);
    }
    return values;
  }

  private static long[] asked(Lease lease, boolean foundRows) {
    String second = foundRows ? "FOUND_ROWS()" : "0";
    byte[] sql =
        ("SELECT LAST_INSERT_ID(), " + second + " LIMIT 1").getBytes(StandardCharsets.US_ASCII);
    var reader = new TextRowReader(2);
    long[] values = new long[2];
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql);
    try (ShardCursor cursor = lease.shard().query(query)) {
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        for (int i = 0; i < values.length; i++) {
          values[i] =
              Long.parseUnsignedLong(
                  new String(row, reader.offset(i), reader.length(i), StandardCharsets.US_ASCII));
        }
      }
    }
    return values;
  }
}
