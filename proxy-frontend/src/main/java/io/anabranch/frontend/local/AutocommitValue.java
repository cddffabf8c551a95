package io.anabranch.frontend.local;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.FunctionCalls;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What SET autocommit is given: a word, a number, a string, or an expression. */
final class AutocommitValue {

  private static final String NAME = "autocommit";

  /** What is in expressions that lock, assign or give an insert id. */
  private static final List<String> LEAVING = List.of(":=", "get_lock", "last_insert_id");

  /** No client's: it is NULL again before another statement runs. */
  private static final String VARIABLE = "@`anabranch autocommit`";

  private AutocommitValue() {}

  /**
   * Null for expressions, which only a database can compute.
   *
   * @throws RefusedException 1231 for words and strings it cannot have
   */
  static @Nullable Boolean known(String value) {
    char first = value.charAt(0);
    boolean isQuoted = first == '\'' || first == '"';
    if (isQuoted && value.indexOf(first, 1) == value.length() - 1) {
      return ofWord(value.substring(1, value.length() - 1));
    }
    if (value.equals("0") || value.equals("1")) {
      return ofNumber(value);
    }
    return isWord(value) ? ofWord(value) : null;
  }

  private static boolean isWord(String value) {
    return Character.isLetter(value.charAt(0))
        && value.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
  }

  private static boolean ofWord(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "on", "true", "default" -> true;
      case "off", "false" -> false;
      default -> throw ErrorCatalogue.WRONG_VALUE.refuse(NAME, word);
    };
  }

  private static boolean ofNumber(String digits) {
    return switch (digits) {
      case "1" -> true;
      case "0" -> false;
      default -> throw ErrorCatalogue.WRONG_VALUE.refuse(NAME, digits);
    };
  }

  /**
   * Has a database compute the expression. Blocks.
   *
   * @throws ShardException.Database if it cannot be computed
   * @throws RefusedException 1231, 1232 for what it cannot be
   */
  static boolean computed(String expression, Session session) {
    String lower = expression.toLowerCase(Locale.ROOT);
    if (LEAVING.stream().anyMatch(lower::contains) || callsStored(expression, session)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SET autocommit to an expression that leaves something in its connection",
          "assign it to a user variable first");
    }
    Backend backend = session.anyBackend();
    StatementLeases leases =
        session
            .connections()
            .leases(
                endpoint -> session.members().findBlocking(backend, endpoint, Access.WRITE).name(),
                Access.READ,
                session.settings());
    if (expression.indexOf('(') < 0) {
      session.connections().usesNoTables();
    }
    Lease lease = leases.ready(backend.anyEndpoint());
    try {
      Computed computed = compute(lease, expression, session);
      leases.completed(lease, computed.statusFlags());
      return computed.value();
    } catch (ShardException.Database refused) {
      leases.failed(lease, refused.errno());
      throw refused;
    } catch (ShardException.Lost broken) {
      throw leases.lost(lease, String.valueOf(broken.getMessage()));
    }
  }

  /**
   * What a database made of it.
   *
   * @param type {@link ColumnType#code}
   * @param text null for NULL
   */
  private record Computed(int type, @Nullable String text, int statusFlags) {

    boolean value() {
      String word = text == null ? "NULL" : text;
      return switch (ColumnType.of(type)) {
        case FLOAT, DOUBLE, DECIMAL, NEWDECIMAL ->
            throw ErrorCatalogue.WRONG_TYPE_FOR_VARIABLE.refuse(NAME);
        case VARCHAR, VAR_STRING, STRING, TINY_BLOB, BLOB, MEDIUM_BLOB, LONG_BLOB -> ofWord(word);
        default -> ofNumber(word);
      };
    }
  }

  /** Functions of one's own, whatever they do. */
  private static boolean callsStored(String expression, Session session) {
    return FunctionCalls.areStored(SourceText.of(expression, session.lexerMode()).tokens());
  }

  /** The expression stands where it stood: whatever it is, it is no other part of a statement. */
  private static Computed compute(Lease lease, String expression, Session session) {
    run(lease, ("SET " + VARIABLE + " = " + expression).getBytes(session.charset()));
    try {
      return read(lease);
    } finally {
      run(lease, ("SET " + VARIABLE + " = NULL").getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void run(Lease lease, byte[] sql) {
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql);
    try (ShardCursor cursor = lease.shard().query(query)) {
      var _ = cursor.outcome();
    }
  }

  private static Computed read(Lease lease) {
    byte[] sql = ("SELECT " + VARIABLE + " LIMIT 1").getBytes(StandardCharsets.US_ASCII);
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql);
    try (ShardCursor cursor = lease.shard().query(query)) {
      int type = cursor.columns().getFirst().type();
      var reader = new TextRowReader(cursor.columns().size());
      String text = null;
      byte[] row = cursor.next();
      if (row != null) {
        reader.read(row);
        text =
            reader.isNull(0)
                ? null
                : new String(row, reader.offset(0), reader.length(0), StandardCharsets.US_ASCII);
      }
      while (row != null) {
        row = cursor.next();
      }
      return new Computed(type, text, cursor.outcome().statusFlags());
    }
  }
}
