package io.anabranch.frontend.rewrite;

import io.anabranch.frontend.current.StringLiterals;
import io.anabranch.frontend.effect.UserVariables;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.VariableName;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.syntax.query.ClauseWords;
import io.anabranch.rules.syntax.query.Predicates;
import io.anabranch.rules.syntax.query.SelectItems;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts literals in the place of functions and variables whose value only the proxy knows: {@code
 * DATABASE()}, {@code CONNECTION_ID()}, {@code LAST_INSERT_ID()}, {@code @@autocommit} and so on. A
 * column of a select list that this changes gets its former text as its alias, so that its name
 * stays, and numbers their type: BIGINT. Elsewhere plain literals let the planner route.
 *
 * <p>Looked for on plan misses only: a statement with such a function is never planned in its
 * original text, so a plan that is found in the cache has none. What is put in only where the
 * session is in no database, or in a system schema, is looked for each time there.
 */
public final class SessionFunctions {

  /** Servers nest no deeper: the names of what is in there do not matter. */
  private static final int MOST_NESTED = 64;

  private static final Set<String> QUOTABLE =
      Set.of("connection_id", "found_rows", "last_insert_id", "row_count");

  /** MySQL wants texts of one character set of them. */
  private static final List<String> PATTERNS =
      List.of("regexp", "rlike", "regexp_instr", "regexp_like", "regexp_replace", "regexp_substr");

  private final SourceText source;
  private final SqlTokens tokens;
  private final Session session;
  private final TextEdits out;
  private int changes;

  /** The select lists around a token, the innermost one first. */
  private final Deque<Item> items = new ArrayDeque<>();

  private final SelectedKeys selected;
  private @Nullable ClauseWords clauses;

  private final WrittenValues written;

  /** Whose servers read the values of user variables; null: variables stay. */
  private final @Nullable Backend placedOn;

  private @Nullable Predicates deciding;
  private final boolean isAssigned;
  private final boolean keepsTypes;

  /** Whether another value of the same SET is LAST_INSERT_ID(expression). */
  private final boolean givesInsertId;

  private SessionFunctions(
      SourceText source,
      Session session,
      @Nullable Backend on,
      boolean isAssigned,
      boolean givesInsertId) {
    this.source = source;
    this.tokens = source.tokens();
    this.session = session;
    this.written = new WrittenValues(session);
    this.out = new TextEdits(source);
    this.selected = new SelectedKeys(tokens);
    this.placedOn = on != null && placesVariables(on) ? on : null;
    this.isAssigned = isAssigned;
    this.givesInsertId = givesInsertId;
    this.keepsTypes = isAssigned || (on != null && on.database().isPassThrough() && makesColumns());
  }

  /**
   * Over shards, and where shadows are chosen by values, user variables become their values, so
   * that statements are routed by them; not where the statement assigns one.
   */
  private boolean placesVariables(Backend on) {
    LogicalDatabase database = on.database();
    boolean isRouted =
        !database.isPassThrough()
            || database.shadow().tables().keySet().stream().anyMatch(tokens::mention);
    if (!isRouted) {
      return false;
    }
    boolean inserts = inserts();
    boolean reads =
        inserts
            || tokens.isWord(0, "SELECT")
            || tokens.isWord(0, "UPDATE")
            || tokens.isWord(0, "DELETE")
            || tokens.isWord(0, "WITH")
            || tokens.isPunctuation(0, '(');
    return reads
        && tokens
            .all()
            .consistsOf(i -> !tokens.isOperator(i, ":=") && (inserts || !tokens.isWord(i, "INTO")));
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
   * Blocks where {@link #mayAsk} says so.
   *
   * @param on whose data sources the statement uses
   */
  public static @Nullable String replace(SourceText source, Session session, @Nullable Backend on) {
    return new SessionFunctions(source, session, on, false, false).replace();
  }

  /**
   * Whether {@link #replace} would ask the servers what they are, and wait: for variables are
   * written by the rules of whom they are written for.
   */
  public static boolean mayAsk(SourceText source, Backend on) {
    return !on.knowsServers() && source.text().indexOf('@') >= 0;
  }

  /**
   * What SET gives a variable, with literals of the functions' types.
   *
   * @param givesInsertId whether one of the statement's values is LAST_INSERT_ID(expression)
   */
  public static String assigned(String value, Session session, boolean givesInsertId) {
    SourceText source = SourceText.of(value, session.lexerMode());
    String literal = new SessionFunctions(source, session, null, true, givesInsertId).replace();
    return literal == null ? value : literal;
  }

  /** Whether a value of SET is, or has, LAST_INSERT_ID(expression). */
  public static boolean giveInsertId(String value, Session session) {
    return value.indexOf('(') >= 0
        && giveInsertId(SourceText.of(value, session.lexerMode()).tokens());
  }

  private static boolean giveInsertId(SqlTokens tokens) {
    return SessionWords.giveInsertId(tokens, tokens.all());
  }

  private @Nullable String replace() {
    try (written) {
      endItems(tokens.from(StoredText.end(tokens)).walk(this::read));
      return changes == 0 ? null : out.text();
    }
  }

  /** Reads a token and what belongs to it, and tells the next one. */
  private int read(int token) {
    endItems(token);
    boolean selects = tokens.isWord(token, "SELECT") && !tokens.isPunctuation(token - 1, '.');
    return selects ? beginItems(token) : replaceAt(token);
  }

  /** An item of a select list, which other lists may be nested in. */
  private record Item(int depth, int first, int changesBefore) {}

  /** The first token of the first item of a SELECT. */
  private int beginItems(int select) {
    int first = SelectLayout.behindModifiers(tokens, select + 1);
    items.push(new Item(tokens.depth(select), first, changes));
    return first;
  }

  /** Ends the items that are left at the token. */
  private void endItems(int token) {
    while (!items.isEmpty()) {
      Item item = items.peek();
      boolean isLast = SelectItems.isBehind(tokens, token, item.depth);
      boolean isComma = tokens.depth(token) == item.depth && tokens.isPunctuation(token, ',');
      if (!isLast && !isComma) {
        return;
      }
      name(item, token);
      selected.add(item.first, token, item.depth);
      items.pop();
      if (isComma) {
        items.push(new Item(item.depth, token + 1, changes));
        return;
      }
    }
  }

  /** Lets a changed item be called by what it was. */
  private void name(Item item, int behind) {
    boolean isChanged = changes > item.changesBefore && behind > item.first;
    if (isChanged
        && items.size() <= MOST_NESTED
        && !SelectItems.isNamed(tokens, item.first, behind)) {
      out.behind(behind - 1, ItemNames.alias(source.text(), tokens, item.first, behind));
    }
  }

  /** The token behind what has been replaced, or the next one. */
  private int replaceAt(int token) {
    int behindLock = LockQuestion.end(tokens, token);
    int behindAttribute = Math.min(AttributeValue.end(tokens, token), tokens.size());
    String literal =
        behindLock > token
            ? LockQuestion.answered(textOf(token, behindLock), session.id())
            : behindAttribute > token ? attribute(token, behindAttribute) : literal(token);
    if (literal == null) {
      return token + 1;
    }
    boolean isOne = tokens.kind(token) == TokenKind.VARIABLE || !isCall(token);
    int end = Math.max(isOne ? token + 1 : token + 3, Math.max(behindLock, behindAttribute));
    out.replace(token, end, placed(token, literal));
    changes++;
    return end;
  }

  /** With the call beside it: where the server has no such function, it says so. */
  private String attribute(int from, int to) {
    return ofType(textOf(from, to), AttributeValue.literal(tokens, from, to, session));
  }

  private String textOf(int from, int to) {
    return source.text().substring(tokens.start(from), tokens.end(to - 1));
  }

  private @Nullable String literal(int token) {
    if (tokens.kind(token) == TokenKind.VARIABLE) {
      if (isTarget(token)) {
        return null;
      }
      VariableName name = VariableName.of(tokens.text(token), source.mode());
      if (name.user()) {
        // to route by; what is selected keeps a variable's own type
        Backend on = placedOn;
        if (on == null || isLimit(token)) {
          return null;
        }
        if (isSelected() && inserts() && !UserVariables.isSet(session, name.name())) {
          // nobody has told connections of what type it is, and columns are to be alike
          return " NULL";
        }
        boolean places = !isSelected() && !selected.hasKey(token, clauses());
        return places ? value(token, on, name.name()) : null;
      }
      return variable(name.text());
    }
    boolean isName = tokens.kind(token) == TokenKind.WORD || isQuotedCall(token);
    if (!isName || tokens.isPunctuation(token - 1, '.') || tokens.isWord(token - 1, "AS")) {
      return null;
    }
    String name = tokens.lowerName(token);
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
          case "last_insert_id" ->
              isGivenInside() ? null : keepsTypes ? wide(insertId()) : lastInsertId();
          case "row_count" -> count(Long.toString(session.diagnostics().rowCount()));
          case "found_rows" -> foundRows(token);
          default -> null;
        };
    return value == null && name.equals("connection_id")
        ? Integer.toString(session.id())
        : typed(textOf(token, token + 3), value);
  }

  /** Servers take the names of these functions in quotes; those of others are keywords. */
  private boolean isQuotedCall(int token) {
    return tokens.kind(token) == TokenKind.QUOTED
        && isCall(token)
        && QUOTABLE.contains(tokens.lowerName(token));
  }

  /** Whether SET gives it a value. */
  private boolean isTarget(int token) {
    return tokens.isWord(0, "SET")
        && (token == 1 || tokens.isPunctuation(token - 1, ','))
        && (tokens.isOperator(token + 1, "=") || tokens.isOperator(token + 1, ":="));
  }

  /** Where a number would be the position of a column, one that is none. */
  private String placed(int token, String literal) {
    return clauses().isKey(token) ? ClauseWords.keyOf(literal.strip()) : literal;
  }

  private ClauseWords clauses() {
    if (clauses == null) {
      clauses = new ClauseWords(tokens);
    }
    return clauses;
  }

  private boolean isSelected() {
    return !items.isEmpty();
  }

  /** Null: the variable stays, whose digits, collation or missing type are seen. */
  private @Nullable String value(int token, Backend on, String name) {
    boolean isUnplanned =
        on.isMariaDb() && isCollated(token, 0) && !UserVariables.isForeign(session, name);
    if (isConditionAlone(token, on) && !isUnplanned) {
      // a connection's own NULL may have the type of what another session had there
      return UserVariables.isSet(session, name) ? null : " NULL";
    }
    String collated = isStored(token) ? null : UserVariables.ofBinaryCollation(session, name);
    if (collated != null && isForServers(on) && !isUnplanned) {
      // among texts it decides, which a literal leaves to the column; but not as one that is
      // written with COLLATE, so that nothing is routed by it
      return null;
    }
    written.add(name);
    if (collated != null) {
      return " (" + collated + ")";
    }
    boolean isCompared = isCompared(token);
    if (!isCompared && !UserVariables.isSet(session, name) && seesTypes()) {
      return null;
    }
    if (isCompared || !UserVariables.showsDigits(session, on, name)) {
      return " " + UserVariables.literal(session, on, name);
    }
    // who plans asks what a pattern is, of connections without variables
    return seesTypes() ? " " + UserVariables.parameter(session, on, name).operand() : null;
  }

  /**
   * Whether COLLATE follows, or follows what it is a part of: who plans asks what it is, and to a
   * connection of MariaDB without the variable that is bytes, which have no such collation.
   */
  private boolean isCollated(int token, int depth) {
    int open = tokens.around(token);
    return tokens.isWord(token + 1, "COLLATE")
        || (open >= 0 && depth < MOST_NESTED && isCollated(tokens.closing(open), depth + 1));
  }

  /**
   * Whether nobody but the servers looks at the value: a variable has a collation and a type of its
   * own there, to which a literal would give way.
   */
  private boolean isConditionAlone(int token, Backend on) {
    int clause = clauses().nearest(token);
    boolean isCondition =
        tokens.isWord(clause, "WHERE")
            || (tokens.isWord(clause, "ON") && !tokens.isWord(clause + 1, "DUPLICATE"));
    return isCondition && isForServers(on) && !decides(on).nameAny(token);
  }

  /** Whether nobody else looks at what conditions compare with. */
  private boolean isForServers(Backend on) {
    boolean isLookedAt =
        !on.database().encryption().isEmpty() || !on.database().shadow().tables().isEmpty();
    return !isLookedAt && !seesTypes();
  }

  /** Conditions by which data sources are chosen. */
  private Predicates decides(Backend on) {
    Predicates known = deciding;
    if (known == null) {
      known = new Predicates(tokens, on.database().shardingColumns());
      deciding = known;
    }
    return known;
  }

  /** Whether a variable without a value may be an error, which NULL is not. */
  private boolean seesTypes() {
    return PATTERNS.stream().anyMatch(tokens::mention);
  }

  private boolean isStored(int token) {
    int clause = clauses().nearest(token);
    return inserts() && !tokens.isAnyWord(clause, "WHERE", "HAVING", "ON");
  }

  /** Or stored: its value counts alone. */
  private boolean isCompared(int token) {
    return isStored(token) || tokens.isComparison(token - 1) || tokens.isComparison(token + 1);
  }

  private boolean inserts() {
    return tokens.isAnyWord(0, "INSERT", "REPLACE");
  }

  /** Servers take no variable there. */
  private boolean isLimit(int token) {
    boolean isSecond = tokens.isPunctuation(token - 1, ',') && tokens.isWord(token - 3, "LIMIT");
    return isSecond || tokens.isWord(token - 1, "LIMIT") || tokens.isWord(token - 1, "OFFSET");
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

  /** LAST_INSERT_ID() is what the statement itself gives it: the connection knows it. */
  private boolean isGivenInside() {
    return givesInsertId || giveInsertId(tokens);
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
          isGivenInside() ? null : lastInsertId();
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

  /** Whether the value's type is that of a column, of an answer or of a table, or a variable's. */
  private boolean showsTypes() {
    return isSelected() || isAssigned || tokens.isAnyWord(0, "CREATE", "DO");
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
    return tokens.all().hasName("information_schema");
  }

  private String quoted(String value) {
    return StringLiterals.quoted(value, session);
  }
}
