package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.VariableValue;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.frontend.current.StringLiterals;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.rewrite.MarkerLiterals;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.ClauseWords;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Values of a session's user variables as other statements have them. */
public final class UserVariables {

  private static final Logger log = LoggerFactory.getLogger(UserVariables.class);

  private static final String OF_MARIADB =
      "SELECT LOWER(VARIABLE_NAME) FROM information_schema.USER_VARIABLES"
          + " WHERE VARIABLE_VALUE IS NOT NULL LIMIT 1000000";
  private static final String OF_MYSQL =
      "SELECT LOWER(VARIABLE_NAME) FROM performance_schema.user_variables_by_thread WHERE THREAD_ID"
          + " = PS_CURRENT_THREAD_ID() AND VARIABLE_VALUE IS NOT NULL LIMIT 1000000";

  /** What nobody has given a value: a binary string. */
  private static final VariableValue UNSET = new VariableValue.Null(new VariableValue.Bytes(""));

  private UserVariables() {}

  /**
   * A literal of the same value: plain text where the session's character set has it, so that the
   * planner can route by it.
   *
   * @param on whose servers read it
   * @param name lower case
   */
  public static String literal(Session session, Backend on, String name) {
    return literal(session, on, of(session, name));
  }

  private static String literal(Session session, Backend on, VariableValue value) {
    return switch (value) {
      // by itself it would be a number beside numbers
      case VariableValue.Bytes bytes when !on.isMariaDb() -> "_binary " + bytes.sql();
      case VariableValue.Text kept -> {
        String text = kept.text();
        yield text != null && session.charset().newEncoder().canEncode(text)
            ? StringLiterals.quoted(text, session)
            : kept.sql();
      }
      default -> value.literal();
    };
  }

  /**
   * A text whose collation compares bytes, with that collation; null for other values. A variable
   * has as much to say as a column, so that such a collation is the one that they compare by.
   *
   * @param name lower case
   */
  public static @Nullable String ofBinaryCollation(Session session, String name) {
    return of(session, name) instanceof VariableValue.Text text && text.isBinary()
        ? text.sql()
        : null;
  }

  /**
   * Whether it is NULL, or a text of another character set than the session's literals: no
   * collation of theirs is one of its.
   *
   * @param name lower case
   */
  public static boolean isForeign(Session session, String name) {
    VariableValue value = of(session, name);
    return value instanceof VariableValue.Null
        || (value instanceof VariableValue.Text text
            && !session.charset().equals(text.collation().charset()));
  }

  /**
   * Whether functions of texts, LIKE among them, see other digits of the variable than of the
   * literal: to MySQL a fixed number has thirty decimals.
   *
   * @param on whose servers read it
   * @param name lower case
   */
  public static boolean showsDigits(Session session, Backend on, String name) {
    return of(session, name) instanceof VariableValue.Decimal && !on.isMariaDb();
  }

  /**
   * As a parameter of EXECUTE, which has a type of its own: whole numbers are BIGINT, and others of
   * thirty decimals to MySQL, which it shows where it computes with them. MariaDB takes a whole one
   * for the position of a column where it sorts by it.
   *
   * @param on whose servers read it
   * @param name lower case
   */
  public static MarkerLiterals.Value parameter(Session session, Backend on, String name) {
    VariableValue value = of(session, name);
    String literal = literal(session, on, value);
    String key = on.isMariaDb() ? literal : ClauseWords.keyOf(literal);
    return switch (value) {
      case VariableValue.Whole _ -> new MarkerLiterals.Value(literal, key(name), key(name), key);
      // beside strings MariaDB takes a variable's large number for a negative one
      case VariableValue.Unsigned _ -> new MarkerLiterals.Value(literal, key(name), literal, key);
      case VariableValue.Decimal _ when !on.isMariaDb() ->
          new MarkerLiterals.Value(
              literal, literal, "CAST(" + literal + " AS DECIMAL(65,30))", literal);
      default -> MarkerLiterals.Value.of(literal);
    };
  }

  /** The value as the text of a statement; null for NULL. */
  public static @Nullable String text(Session session, String name) {
    return switch (of(session, name)) {
      case VariableValue.Null _, VariableValue.Forgotten _ -> null;
      case VariableValue.Bytes bytes -> new String(bytes.bytes(), session.charset());
      case VariableValue.Text text -> text.text();
      case VariableValue.Whole(String digits) -> digits;
      case VariableValue.Unsigned(String digits) -> digits;
      case VariableValue.Decimal(String digits) -> digits;
      case VariableValue.Floating(String number) -> number;
    };
  }

  /**
   * Names of what the session is known to have, and of what its connection has besides: functions
   * and triggers assign what no statement names. Blocks.
   *
   * @param named to be among them
   */
  static Set<String> all(Lease lease, Session session, Set<String> named) {
    var names = new LinkedHashSet<>(named);
    for (String name : session.settings().userVariables().keySet()) {
      names.add(name.substring(2, name.length() - 1).replace("``", "`"));
    }
    names.addAll(assigned(lease));
    return names;
  }

  /** Those of the connection that are not NULL, as far as the server tells them. */
  private static List<String> assigned(Lease lease) {
    BackendConnection connection = lease.connection();
    boolean isMariaDb = connection == null || connection.serverVersion().contains("MariaDB");
    String sql = isMariaDb ? OF_MARIADB : OF_MYSQL;
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql.getBytes(StandardCharsets.US_ASCII));
    Charset charset = lease.applied().resultCharset();
    var names = new ArrayList<String>();
    var reader = new TextRowReader(1);
    try (ShardCursor cursor = lease.shard().query(query)) {
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        names.add(new String(row, reader.offset(0), reader.length(0), charset));
      }
    } catch (ShardException.Database refused) {
      log.debug("{}: {} is not there: {}", lease.dataSource(), sql, refused.getMessage());
    }
    return names;
  }

  /**
   * Whether it was ever given a value, NULL or another one: it has a type since.
   *
   * @param name lower case
   */
  public static boolean isSet(Session session, String name) {
    return session.settings().userVariables().containsKey(key(name));
  }

  /**
   * Characters that keep the value: of texts two for each byte.
   *
   * @param name lower case
   */
  public static int length(Session session, String name) {
    return of(session, name).length();
  }

  static String key(String name) {
    return "@" + TableNames.quoted(name);
  }

  /**
   * @param name lower case
   */
  static VariableValue of(Session session, String name) {
    return session.settings().userVariables().getOrDefault(key(name), UNSET);
  }
}
