package io.anabranch.frontend.show;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.effect.InitialVariables;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.rewrite.OwnAddress;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ShownCondition;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code SHOW [SESSION] VARIABLES} that shows variables which are the session's and not its
 * connection's. A database filters and sorts, with the session's values in the place of the
 * connection's.
 */
final class ShownVariables {

  private static final String TRACKED = "session_track_system_variables";

  private ShownVariables() {}

  /**
   * Whether the statement has been answered; what shows none of the session's own is not.
   *
   * @param behind the token behind VARIABLES
   * @param isGlobal global values are asked for
   */
  static boolean answer(SourceText source, int behind, boolean isGlobal, Answer answer) {
    SqlTokens tokens = source.tokens();
    Session session = answer.session();
    if (ShownCondition.hasQuery(tokens)) {
      // it is planned, and every table in it looked at
      return false;
    }
    if (!session.database().hasServer()) {
      return initial(tokens, behind, answer);
    }
    Map<String, String> own = isGlobal ? OwnAddress.variables(session) : own(session);
    String condition = "";
    if (tokens.isWord(behind, "LIKE") && tokens.kind(behind + 1) == TokenKind.STRING) {
      String literal = tokens.text(behind + 1);
      String pattern = OwnVariables.unquoted(literal);
      boolean isOpen = pattern.equals(literal);
      if (isOpen || own.keySet().stream().noneMatch(name -> LikePattern.matches(name, pattern))) {
        return false;
      }
      condition = " WHERE Variable_name LIKE " + literal;
    } else if (tokens.isWord(behind, "WHERE")) {
      condition = ShownCondition.text(source, behind);
    } else if (tokens.size() > behind) {
      return false;
    }
    String behindTable = ") AS v" + condition + " ORDER BY CAST(Variable_name AS BINARY)";
    List<ResultColumn> columns =
        LocalColumns.ofListing("SESSION_VARIABLES", session.deployment().isMariaDb());
    answer.blocking(
        () -> {
          List<List<@Nullable String>> rows =
              rows(
                  session,
                  lease -> "SELECT * FROM (" + variables(own, isGlobal, lease) + behindTable);
          return () -> answer.rows(columns, rows);
        });
    return true;
  }

  /** While there is no server to ask: all, or those that are like a pattern. */
  private static boolean initial(SqlTokens tokens, int behind, Answer answer) {
    boolean isLike =
        tokens.isWord(behind, "LIKE")
            && tokens.size() == behind + 2
            && tokens.kind(behind + 1) == TokenKind.STRING;
    if (!isLike && tokens.size() > behind) {
      return false;
    }
    String pattern = isLike ? OwnVariables.unquoted(tokens.text(behind + 1)) : "%";
    answer.rows(
        LocalColumns.ofListing("SESSION_VARIABLES", answer.session().deployment().isMariaDb()),
        InitialVariables.shown(answer.session()).stream()
            .filter(row -> LikePattern.matches(row.getFirst(), pattern))
            .toList());
    return true;
  }

  /** SQL text of the values, by name. */
  private static Map<String, String> own(Session session) {
    String insertId =
        TableNames.literal(Long.toUnsignedString(session.diagnostics().lastInsertId()));
    var own = new TreeMap<>(OwnAddress.variables(session));
    own.put("autocommit", flag(session.transaction().isAutocommit()));
    own.put("last_insert_id", insertId);
    own.put("identity", insertId);
    own.put("pseudo_thread_id", TableNames.literal(Integer.toString(session.id())));
    boolean isInTransaction = session.isInTransaction();
    own.put("in_transaction", isInTransaction ? "'1'" : "'0'");
    own.put("session_track_state_change", flag(session.changes().tracksState()));
    // connections have the proxy's own variable among those of the session
    own.put(TRACKED, "REPLACE(REPLACE(VARIABLE_VALUE, ',last_gtid', ''), 'last_gtid,', '')");
    return own;
  }

  private static String flag(boolean isOn) {
    return isOn ? "'ON'" : "'OFF'";
  }

  private static String variables(Map<String, String> own, boolean isGlobal, Lease lease) {
    BackendConnection connection = lease.connection();
    boolean isMariaDb =
        connection == null
            || connection.serverVersion().toLowerCase(Locale.ROOT).contains("mariadb");
    String scope = isGlobal ? "global" : "session";
    String table =
        (isMariaDb ? "information_schema." : "performance_schema.")
            + (isMariaDb ? scope.toUpperCase(Locale.ROOT) + "_VARIABLES" : scope + "_variables");
    var sql =
        new StringBuilder(
            "SELECT LOWER(VARIABLE_NAME) AS Variable_name, CASE LOWER(VARIABLE_NAME)");
    own.forEach(
        (name, value) ->
            sql.append(" WHEN ").append(TableNames.literal(name)).append(" THEN ").append(value));
    return sql.append(" ELSE VARIABLE_VALUE END AS Value FROM ").append(table).toString();
  }

  /** Names and values that a database shows the session. Blocks. */
  static List<List<@Nullable String>> rows(Session session, byte[] sql) {
    return rows(session, _ -> new String(sql, session.charset()));
  }

  private static List<List<@Nullable String>> rows(
      Session session, Function<Lease, String> statement) {
    Backend backend = session.anyBackend();
    StatementLeases leases =
        session
            .connections()
            .leases(
                name -> session.members().findBlocking(backend, name, Access.WRITE).name(),
                session.settings());
    session.connections().usesNoTables();
    String endpoint = backend.anyEndpoint();
    Lease lease = leases.ready(endpoint);
    Charset charset = session.charset();
    String sql = statement.apply(lease);
    Pin pin = ProgramEffects.pin(sql, session, backend.programs(), endpoint);
    if (pin != null) {
      leases.pin(lease, pin);
    }
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql.getBytes(charset));
    try (ShardCursor cursor = lease.shard().query(query)) {
      var rows = new ArrayList<List<@Nullable String>>();
      var reader = new TextRowReader(2);
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        var cells = new ArrayList<@Nullable String>(2);
        for (int i = 0; i < 2; i++) {
          cells.add(
              reader.isNull(i)
                  ? null
                  : new String(row, reader.offset(i), reader.length(i), charset));
        }
        rows.add(cells);
      }
      leases.completed(lease, cursor.outcome().statusFlags());
      return rows;
    } catch (ShardException.Database refused) {
      leases.failed(lease, refused.errno());
      throw refused;
    } catch (RuntimeException broken) {
      leases.lost(lease, String.valueOf(broken.getMessage()));
      throw broken;
    }
  }
}
