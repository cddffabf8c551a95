package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.TypedNull;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.frontend.current.StringLiterals;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.rewrite.MarkerLiterals;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.ClauseWords;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Values of a session's user variables, which it keeps as SQL text. */
public final class UserVariables {

  private static final Logger log = LoggerFactory.getLogger(UserVariables.class);

  private static final String OF_MARIADB =
      "SELECT LOWER(VARIABLE_NAME) FROM information_schema.USER_VARIABLES"
          + " WHERE VARIABLE_VALUE IS NOT NULL LIMIT 1000000";
  private static final String OF_MYSQL =
      "SELECT LOWER(VARIABLE_NAME) FROM performance_schema.user_variables_by_thread WHERE THREAD_ID"
          + " = PS_CURRENT_THREAD_ID() AND VARIABLE_VALUE IS NOT NULL LIMIT 1000000";

  private static final String UNSIGNED = "CAST(";

  /** As which NULL of whatever type is read. */
  static final String NULL = "NULL";

  /** Values as they are kept: whole numbers, with a sign or without. */
  static final Pattern WHOLE = Pattern.compile("-?\\d+");

  /** Numbers of fixed decimals. */
  static final Pattern FIXED = Pattern.compile("-?\\d*\\.\\d*");

  private UserVariables() {}

  /**
   * The text that keeps an unsigned number.
   *
   * @param digits in decimal
   */
  static String unsigned(String digits) {
    return UNSIGNED + digits + " AS UNSIGNED)";
  }

  /**
   * A literal of the same value: plain text where the session's character set has it, so that the
   * planner can route by it.
   *
   * @param on whose servers read it
   * @param name lower case
   */
  public static String literal(Session session, Backend on, String name) {
    String kept = kept(session, name);
    if (kept.startsWith("x'") && !on.isMariaDb()) {
      // by itself it would be a number beside numbers
      return "_binary " + kept;
    }
    String text = text(kept);
    if (text == null || kept.indexOf('\'') < 0 || kept.startsWith("x'")) {
      return kept;
    }
    return session.charset().newEncoder().canEncode(text)
        ? StringLiterals.quoted(text, session)
        : kept;
  }

  /**
   * A text whose collation compares bytes, with that collation; null for other values. A variable
   * has as much to say as a column, so that such a collation is the one that they compare by.
   *
   * @param name lower case
   */
  public static @Nullable String ofBinaryCollation(Session session, String name) {
    String kept = kept(session, name);
    return kept.startsWith("_") && kept.endsWith("_bin") ? kept : null;
  }

  /**
   * Whether it is NULL, or a text of another character set than the session's literals: no
   * collation of theirs is one of its.
   *
   * @param name lower case
   */
  public static boolean isForeign(Session session, String name) {
    String kept = kept(session, name);
    if (!kept.startsWith("_")) {
      return kept.equals(NULL);
    }
    Collation collation = collation(kept);
    return collation == null || !session.charset().equals(collation.charset());
  }

  /**
   * Whether functions of texts, LIKE among them, see other digits of the variable than of the
   * literal: to MySQL a fixed number has thirty decimals.
   *
   * @param on whose servers read it
   * @param name lower case
   */
  public static boolean showsDigits(Session session, Backend on, String name) {
    return FIXED.matcher(kept(session, name)).matches() && !on.isMariaDb();
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
    String literal = literal(session, on, name);
    if (WHOLE.matcher(literal).matches()) {
      String variable = key(name);
      String key = on.isMariaDb() ? literal : ClauseWords.keyOf(literal);
      // beside strings MariaDB takes a variable's large number for a negative one
      String operand = isUnsigned(session, name) ? literal : variable;
      return new MarkerLiterals.Value(literal, variable, operand, key);
    }
    boolean widens = showsDigits(session, on, name);
    String operand = widens ? "CAST(" + literal + " AS DECIMAL(65,30))" : literal;
    return new MarkerLiterals.Value(literal, literal, operand, literal);
  }

  /** The value as the text of a statement; null for NULL. */
  public static @Nullable String text(Session session, String name) {
    String kept = kept(session, name);
    return kept.startsWith("x'")
        ? new String(HexFormat.of().parseHex(kept, 2, kept.length() - 1), session.charset())
        : text(kept);
  }

  /**
   * Names of what the session is known to have, and of what its connection has besides: functions
   * and triggers assign what no statement names. Blocks.
   *
   * @param named to be among them
   */
  static Set<String> all(Lease lease, Session session, Set<String> named) {
    var names = new LinkedHashSet<>(named);
    for (String name : session.settings().variables().keySet()) {
      if (name.startsWith("@`")) {
        names.add(name.substring(2, name.length() - 1).replace("``", "`"));
      }
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
    return session.settings().variables().containsKey(key(name));
  }

  /** Whether the value is a whole number without a sign. */
  static boolean isUnsigned(Session session, String name) {
    return session.settings().variables().getOrDefault(key(name), "").startsWith(UNSIGNED);
  }

  /**
   * Characters that keep the value: of texts two for each byte.
   *
   * @param name lower case
   */
  public static int length(Session session, String name) {
    return session.settings().variables().getOrDefault(key(name), "").length();
  }

  static String key(String name) {
    return "@" + TableNames.quoted(name);
  }

  static String kept(Session session, String name) {
    String value = session.settings().variables().getOrDefault(key(name), NULL);
    if (TypedNull.is(value)) {
      return NULL;
    }
    return value.startsWith(UNSIGNED)
        ? value.substring(UNSIGNED.length(), value.indexOf(' '))
        : value;
  }

  /** That of {@code _utf8mb4 x'..' COLLATE …}; null: nobody here knows it. */
  private static @Nullable Collation collation(String kept) {
    return Collation.byName(kept.substring(kept.lastIndexOf(' ') + 1));
  }

  /**
   * Reads {@code NULL}, {@code 1.5}, {@code 7.}, {@code x'..'} and {@code _utf8mb4 x'..' COLLATE
   * …}.
   *
   * @return null: NULL, or no text, or one that only servers can read
   */
  private static @Nullable String text(String kept) {
    if (kept.equals(NULL)) {
      return null;
    }
    int open = kept.indexOf("x'");
    if (open < 0) {
      return kept.endsWith(".") ? kept.substring(0, kept.length() - 1) : kept;
    }
    byte[] bytes = HexFormat.of().parseHex(kept, open + 2, kept.indexOf('\'', open + 2));
    Collation collation = open == 0 ? null : collation(kept);
    Charset charset = collation == null ? null : collation.charset();
    String text = charset == null ? null : new String(bytes, charset);
    // servers have letters that Java's character sets lack, or have otherwise
    return text != null && Arrays.equals(text.getBytes(charset), bytes) ? text : null;
  }
}
