package io.anabranch.frontend.rewrite;

import io.anabranch.frontend.effect.UserVariables;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.VariableName;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementCharset;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.syntax.SelectLayout;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Puts literals in the place of functions and variables whose value only the proxy knows: {@code
 * DATABASE()}, {@code CONNECTION_ID()}, {@code LAST_INSERT_ID()}, {@code @@autocommit} and so on. A
 * column of the outermost select list that this changes gets its former text as its alias, so that
 * its name stays, and numbers their type: BIGINT. Elsewhere plain literals let the planner route.
 *
 * <p>Looked for on plan misses only: a statement with such a function is never planned in its
 * original text, so a plan that is found in the cache has none. What is put in only where the
 * session is in no database, or in a system schema, is looked for each time there.
 */
public final class SessionFunctions {

  /** The function that reads query attributes. */
  public static final String OF_ATTRIBUTES = AttributeValue.FUNCTION;

  private final SourceText source;
  private final SqlTokens tokens;
  private final Session session;
  private final StringBuilder out = new StringBuilder();
  private int copied;
  private boolean changed;
  private boolean inSelectList;
  private final boolean placesVariables;
  private final boolean keepsTypes;

  private SessionFunctions(SourceText source, Session session, @Nullable Backend on) {
    this.source = source;
    this.tokens = source.tokens();
    this.session = session;
    this.placesVariables = on != null && placesVariables(on);
    this.keepsTypes = on != null && on.database().isPassThrough() && makesColumns();
  }

  /**
   * Over shards user variables become their values, so that statements are routed by them; not
   * where the statement assigns one.
   */
  private boolean placesVariables(Backend on) {
    if (on.database().isPassThrough()) {
      return false;
    }
    boolean inserts = tokens.isWord(0, "INSERT") || tokens.isWord(0, "REPLACE");
    boolean reads =
        inserts
            || tokens.isWord(0, "SELECT")
            || tokens.isWord(0, "UPDATE")
            || tokens.isWord(0, "DELETE")
            || tokens.isWord(0, "WITH")
            || tokens.isPunctuation(0, '(');
    for (int i = 0; reads && i < tokens.size(); i++) {
      reads = !tokens.isOperator(i, ":=") && (inserts || !tokens.isWord(i, "INTO"));
    }
    return reads;
  }

  /** Whether types, lengths and character sets of values are seen. */
  private boolean makesColumns() {
    return tokens.isWord(0, "SELECT")
        || tokens.isWord(0, "CREATE")
        || tokens.isWord(0, "WITH")
        || tokens.isPunctuation(0, '(');
  }

  /** The statement with literals; null when there is nothing to put in. */
  public static @Nullable String replace(SourceText source, Session session) {
    return replace(source, session, session.backend());
  }

  /**
   * @param on whose data sources the statement uses
   */
  public static @Nullable String replace(SourceText source, Session session, @Nullable Backend on) {
    return new SessionFunctions(source, session, on).replace();
  }

  private @Nullable String replace() {
    int from = StoredText.end(tokens);
    if (tokens.isWord(0, "SELECT")) {
      from = endOfSelectList();
      selectItems(from);
    }
    replaceAll(from, tokens.size());
    if (!changed) {
      return null;
    }
    return out.append(source.text(), copied, source.text().length()).toString();
  }

  private void selectItems(int end) {
    int item = SelectLayout.behindModifiers(tokens, 1);
    for (int i = item; i < end; i++) {
      if (tokens.depth(i) == 0 && tokens.isPunctuation(i, ',')) {
        selectItem(item, i);
        item = i + 1;
      }
    }
    if (end > item) {
      selectItem(item, end);
    }
  }

  private int endOfSelectList() {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.depth(i) == 0
          && (tokens.isWord(i, "FROM")
              || tokens.isWord(i, "LIMIT")
              || tokens.isWord(i, "INTO")
              || tokens.isWord(i, "UNION")
              || tokens.isWord(i, "WHERE")
              || tokens.isWord(i, "ORDER")
              || tokens.isWord(i, "HAVING")
              || tokens.isWord(i, "FOR"))) {
        return i;
      }
    }
    return tokens.size();
  }

  private void selectItem(int from, int to) {
    boolean before = changed;
    changed = false;
    inSelectList = true;
    replaceAll(from, to);
    inSelectList = false;
    boolean here = changed;
    changed = before || here;
    if (here && !isAliased(from, to)) {
      copyUpTo(tokens.end(to - 1));
      String label = StatementCharset.name(textOf(from, to));
      out.append(" AS `").append(label.replace("`", "``")).append('`');
    }
  }

  /** Whether the item ends in {@code AS name}, or in a name or string behind a whole value. */
  private boolean isAliased(int from, int to) {
    int last = to - 1;
    if (last - 1 < from || tokens.depth(last) != 0) {
      return false;
    }
    if (tokens.isWord(last - 1, "AS")) {
      return true;
    }
    boolean nameable = tokens.isName(last) || tokens.kind(last) == TokenKind.STRING;
    boolean behindValue =
        tokens.isPunctuation(last - 1, ')')
            || tokens.kind(last - 1) == TokenKind.VARIABLE
            || tokens.kind(last - 1) == TokenKind.NUMBER;
    return nameable && behindValue;
  }

  private void replaceAll(int from, int to) {
    int i = from;
    while (i < to) {
      int behindLock = Math.min(LockQuestion.end(tokens, i), to);
      int behindAttribute = Math.min(AttributeValue.end(tokens, i), to);
      String literal =
          behindLock > i
              ? LockQuestion.answered(textOf(i, behindLock), session.id())
              : behindAttribute > i ? attribute(i, behindAttribute) : literal(i);
      if (literal == null) {
        i++;
        continue;
      }
      int end = tokens.kind(i) == TokenKind.VARIABLE || !isCall(i) ? i + 1 : i + 3;
      end = Math.max(end, Math.max(behindLock, behindAttribute));
      copyUpTo(tokens.start(i));
      out.append(literal);
      copied = tokens.end(end - 1);
      changed = true;
      i = end;
    }
  }

  /** With the call beside it: where the server has no such function, it says so. */
  private String attribute(int from, int to) {
    return ofType(textOf(from, to), AttributeValue.literal(tokens, from, to, session));
  }

  private String textOf(int from, int to) {
    return source.text().substring(tokens.start(from), tokens.end(to - 1));
  }

  private void copyUpTo(int offset) {
    if (offset > copied) {
      out.append(source.text(), copied, offset);
      copied = offset;
    }
  }

  private @Nullable String literal(int token) {
    if (tokens.kind(token) == TokenKind.VARIABLE) {
      VariableName name = VariableName.of(tokens.text(token));
      if (name.user()) {
        // to route by; what is selected keeps a variable's own type
        boolean places = placesVariables && !inSelectList;
        return places ? " " + UserVariables.literal(session, name.name()) : null;
      }
      return variable(tokens.text(token).toLowerCase(Locale.ROOT));
    }
    if (tokens.kind(token) != TokenKind.WORD
        || tokens.isPunctuation(token - 1, '.')
        || tokens.isWord(token - 1, "AS")) {
      return null;
    }
    String name = tokens.text(token).toLowerCase(Locale.ROOT);
    if (!isCall(token)) {
      return name.equals("current_user") && !tokens.isPunctuation(token + 1, '.')
          ? typed(tokens.text(token), quoted(permittedAccount()))
          : null;
    }
    String value =
        switch (name) {
          case "database", "schema" -> isServers() ? null : shown(token, database());
          case "user", "session_user", "system_user" ->
              shown(token, quoted(session.clientAccount()));
          case "current_user" -> shown(token, quoted(permittedAccount()));
          case "last_insert_id" -> keepsTypes ? wide(insertId()) : lastInsertId();
          case "row_count" -> count(Long.toString(session.diagnostics().rowCount()));
          case "found_rows" -> foundRows(token);
          default -> null;
        };
    return value == null && name.equals("connection_id")
        ? Integer.toString(session.id())
        : typed(textOf(token, token + 3), value);
  }

  /** Whether DATABASE() is for the server, or for those who plan what it is compared with. */
  private boolean isServers() {
    return session.backend() != null
        && session.database().systemSchema() == null
        && (readsSystemTables() || isCalledAlike());
  }

  /** With the call beside it: MySQL's servers have a word to say of that. */
  private String foundRows(int token) {
    String number = count(SessionValues.foundRows(session));
    return keepsTypes ? number : ofType(textOf(token, token + 3), number);
  }

  private String count(String number) {
    return keepsTypes ? number : bigint(number);
  }

  private String insertId() {
    return Long.toUnsignedString(session.diagnostics().lastInsertId());
  }

  /** A text with the call's type in select lists over shards, too. */
  private String shown(int token, String value) {
    return showsTypes() && !keepsTypes ? ofType(textOf(token, token + 3), value) : value;
  }

  /** The value as of the call's type, length, character set and coercibility. */
  private @Nullable String typed(String call, @Nullable String value) {
    return value == null || !keepsTypes ? value : ofType(call, value);
  }

  private static String ofType(String call, String value) {
    return "IF(0, " + call + ", " + value + ")";
  }

  /** As BIGINT UNSIGNED, which is what bit operators yield. */
  private static String wide(String number) {
    return "(" + number + " ^ 0)";
  }

  private @Nullable String variable(String text) {
    return switch (text) {
      case "@@autocommit", "@@session.autocommit", "@@local.autocommit" ->
          bigint(session.transaction().isAutocommit() ? "1" : "0");
      case "@@last_insert_id", "@@identity", "@@session.last_insert_id", "@@session.identity" ->
          lastInsertId();
      case "@@warning_count", "@@session.warning_count" ->
          unsigned(Integer.toString(session.diagnostics().warnings()));
      case "@@error_count", "@@session.error_count" ->
          unsigned(Long.toString(session.diagnostics().errors()));
      case "@@session_track_state_change", "@@session.session_track_state_change" ->
          bigint(session.changes().tracksState() ? "1" : "0");
      case "@@in_transaction", "@@session.in_transaction" ->
          session.deployment().isMariaDb() ? unsigned(session.isInTransaction() ? "1" : "0") : null;
      case "@@anabranch_transaction_type",
          "@@session.anabranch_transaction_type",
          "@@transaction_type",
          "@@session.transaction_type" ->
          quoted(session.transactionType().name());
      case "@@anabranch_consistent_reads", "@@session.anabranch_consistent_reads" ->
          bigint(session.consistentReads() ? "1" : "0");
      case "@@anabranch_read_consistency", "@@session.anabranch_read_consistency" -> {
        ReadPolicy.Consistency chosen = session.reads().chosen();
        yield quoted(chosen == null ? "DEFAULT" : chosen.name());
      }
      case "@@last_gtid", "@@session.last_gtid" ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "@@last_gtid, which belongs to a connection and not to the session,",
              "let the answers tell it: SET session_track_system_variables = 'last_gtid'");
      case "@@pseudo_thread_id", "@@session.pseudo_thread_id" -> Integer.toString(session.id());
      case "@@hostname", "@@global.hostname", "@@report_host", "@@global.report_host" ->
          ofType(text, quoted(OwnAddress.host()));
      case "@@port", "@@global.port", "@@report_port", "@@global.report_port" ->
          ofType(text, wide(OwnAddress.port(session)));
      case "@@socket", "@@global.socket" -> ofType(text, quoted(OwnAddress.socket(session)));
      default -> null;
    };
  }

  private String lastInsertId() {
    return unsigned(insertId());
  }

  /** As BIGINT in select lists: literals and even casts are INT on MariaDB where they fit. */
  private String bigint(String number) {
    return showsTypes() ? "IFNULL(" + number + ", " + Long.MAX_VALUE + ")" : number;
  }

  /** As BIGINT UNSIGNED in select lists. */
  private String unsigned(String number) {
    return showsTypes() ? wide(number) : number;
  }

  /** Whether the value's type is that of a column, of an answer or of a table that is made. */
  private boolean showsTypes() {
    return inSelectList || tokens.isWord(0, "CREATE");
  }

  private String permittedAccount() {
    return session.user().name() + "@" + session.user().host();
  }

  private String database() {
    String name = session.database().name();
    return name == null ? "NULL" : quoted(name);
  }

  private boolean isCall(int token) {
    return tokens.isPunctuation(token + 1, '(') && tokens.isPunctuation(token + 2, ')');
  }

  /** Whether the one server behind the database knows it by the same name. */
  private boolean isCalledAlike() {
    Backend backend = session.backend();
    return backend != null && backend.database().isBeside(backend.database());
  }

  /** System tables speak of the databases' own schemas: whoever plans them knows better. */
  private boolean readsSystemTables() {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isName(i) && tokens.name(i).equalsIgnoreCase("information_schema")) {
        return true;
      }
    }
    return false;
  }

  private static String quoted(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
  }
}
