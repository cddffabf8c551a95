package io.anabranch.frontend.local;

import io.anabranch.backend.prepared.StoredMarkers;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.DatabaseStatement;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.current.UnscopedStatement;
import io.anabranch.frontend.effect.BoundVariables;
import io.anabranch.frontend.effect.KeptWarnings;
import io.anabranch.frontend.effect.UserVariables;
import io.anabranch.frontend.rewrite.SessionFunctions;
import io.anabranch.frontend.rewrite.WrittenValues;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.CountedTexts;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatements;
import io.anabranch.frontend.statement.PreparedText;
import io.anabranch.frontend.statement.VersionComments;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.parameter.TypeHistory;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.rewrite.MarkerLiterals;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * PREPARE, EXECUTE [IMMEDIATE] and DEALLOCATE PREPARE over shards, where no server can keep the
 * statement, and by users whose statements must be looked at: the session keeps the text, and
 * executing it runs the text with the variables' values in the place of the markers, or, on MySQL,
 * bound to them.
 */
public final class NamedStatements {

  private static final int MOST = 16_382;

  /** Token of the text in EXECUTE IMMEDIATE 'text', which MariaDB has alone. */
  private static final int IMMEDIATE_TEXT = 2;

  void run(SourceText source, Answer answer) {
    switch (PreparedText.parse(source)) {
      case null ->
          answer.fail(isComputed(source.tokens(), answer) ? computed() : Syntax.near(source));
      case PreparedText.Prepare prepare -> prepare(prepare, answer);
      case PreparedText.Execute execute when execute.hasLiterals() && !isMariaDb(answer) ->
          answer.fail(Syntax.near(source.text(), firstValue(source.tokens())));
      case PreparedText.Execute execute -> execute(execute, answer);
      case PreparedText.Immediate _ when !isMariaDb(answer) ->
          answer.fail(Syntax.near(source.text(), source.tokens().start(IMMEDIATE_TEXT)));
      case PreparedText.Immediate immediate -> execute(immediate, answer);
      case PreparedText.Deallocate(String name) -> {
        if (!answer.session().statements().removeNamed(name)) {
          answer.fail(ErrorCatalogue.UNKNOWN_STATEMENT.refuse(name, "DEALLOCATE PREPARE"));
        } else {
          answer.ok();
        }
      }
    }
  }

  /**
   * Whether the proxy knows the statement, or would answer its text otherwise than a server: what
   * SHOW and KILL are about, which databases and accounts there are, who asks; or query rules and
   * limits look at texts of the user. In a pass-through database all others are its server's.
   */
  static boolean isOwn(SourceText source, Session session) {
    PreparedStatements known = session.statements();
    boolean isLookedAt =
        session.deployment().rules().protection().looksAtTextsOf(session.user().name());
    return switch (PreparedText.parse(source)) {
      case null -> isLookedAt;
      case PreparedText.Prepare prepare -> {
        boolean isOwn =
            isLookedAt
                || answersOtherwise(text(prepare.literal(), prepare.variable(), session), session);
        if (!isOwn) {
          known.removeNamed(prepare.name());
        }
        yield isOwn;
      }
      case PreparedText.Immediate immediate ->
          isLookedAt
              || answersOtherwise(
                  text(immediate.literal(), immediate.variable(), session), session);
      case PreparedText.Execute execute -> known.named(execute.name()) != null;
      case PreparedText.Deallocate(String name) -> known.named(name) != null;
    };
  }

  private static boolean answersOtherwise(String sql, Session session) {
    Scan scan = unwrapped(sql, session);
    return scan.next() < 0
        && switch (scan.kind()) {
          // its own accounts, and those that nobody may change by it
          case SHOW, KILL, ACCOUNT -> true;
          case CREATE, ALTER, DROP ->
              DatabaseStatement.is(scan.kind(), CountedTexts.read(scan, session).tokens());
          case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE, DO ->
              SessionFunctions.replace(CountedTexts.read(scan, session), session) != null;
          default -> false;
        };
  }

  /** As the server reads it, which leaves out some version comments and runs others. */
  private static Scan unwrapped(String sql, Session session) {
    Scan scan = scan(sql, session);
    if (!scan.hasExecutableComment()) {
      return scan;
    }
    var comments = new VersionComments(session.deployment().serverVersion());
    return scan(comments.unwrap(CountedTexts.read(scan, session)), session);
  }

  /** As {@link KeptWarnings} has it of the text: what a server alone knows reads tables. */
  public static boolean keepWarnings(SourceText source, Session session) {
    return switch (PreparedText.parse(source)) {
      case PreparedText.Prepare prepare ->
          keepsWarnings(text(prepare.literal(), prepare.variable(), session), session);
      case PreparedText.Immediate immediate ->
          keepsWarnings(text(immediate.literal(), immediate.variable(), session), session);
      case PreparedText.Execute execute -> session.statements().named(execute.name()) != null;
      case PreparedText.Deallocate _ -> true;
      case null -> true;
    };
  }

  private static boolean keepsWarnings(String sql, Session session) {
    Scan scan = scan(sql, session);
    SourceText text = CountedTexts.read(scan, session);
    return KeptWarnings.areKept(scan.kind(), text.tokens());
  }

  /** Where the first of USING stands that is no variable. */
  private static int firstValue(SqlTokens tokens) {
    int first =
        IntStream.range(3, tokens.size())
            .filter(i -> tokens.kind(i) != TokenKind.VARIABLE && !tokens.isPunctuation(i, ','))
            .findFirst()
            .orElse(tokens.size() - 1);
    return tokens.start(first);
  }

  private static boolean isMariaDb(Answer answer) {
    return answer.session().deployment().isMariaDb();
  }

  /** MariaDB takes expressions for the text and for values. */
  private static boolean isComputed(SqlTokens tokens, Answer answer) {
    boolean prepares = tokens.isWord(0, "PREPARE") && tokens.isWord(2, "FROM");
    boolean executes = tokens.isWord(0, "EXECUTE") && tokens.isWord(1, "IMMEDIATE");
    boolean uses = tokens.isWord(0, "EXECUTE") && tokens.isWord(2, "USING");
    return isMariaDb(answer)
        && ((prepares && tokens.size() > 4) || ((executes || uses) && tokens.size() > 3));
  }

  private static RefusedException computed() {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "PREPARE and EXECUTE with an expression", "assign it to a user variable");
  }

  private static void prepare(PreparedText.Prepare prepare, Answer answer) {
    Session session = answer.session();
    String sql = text(prepare.literal(), prepare.variable(), session);
    // a statement of that name is gone, whatever becomes of this one
    session.statements().removeNamed(prepare.name());
    if (session.statements().namedCount() >= MOST) {
      answer.fail(ErrorCatalogue.TOO_MANY_STATEMENTS.refuse(MOST));
      return;
    }
    Scan scan = scan(sql, session);
    if (scan.next() >= 0) {
      answer.fail(
          Syntax.near(sql, new String(scan.sql(), 0, scan.next(), session.charset()).length()));
      return;
    }
    RefusedException refusal = refusal(scan);
    if (refusal != null) {
      answer.fail(refusal);
    } else {
      answer.prepareInstead(
          sql,
          () ->
              session
                  .statements()
                  .name(
                      prepare.name(),
                      new PreparedStatements.Named(
                          sql, database(session), session.language().reading())));
    }
  }

  /** Null: a text of that kind can be prepared. */
  private static @Nullable RefusedException refusal(Scan scan) {
    return switch (scan.kind()) {
      case PREPARE,
          EXECUTE,
          DEALLOCATE,
          USE,
          LOCK_TABLES,
          UNLOCK_TABLES,
          LOAD_DATA,
          EXPLAIN_ROUTE ->
          ErrorCatalogue.NOT_PREPARABLE.refuse();
      case EMPTY -> ErrorCatalogue.EMPTY_QUERY.refuse();
      default -> null;
    };
  }

  private static String text(@Nullable String literal, @Nullable String variable, Session session) {
    if (literal != null) {
      byte[] bytes = literal.getBytes(session.charset());
      SqlValue value =
          Literals.of(
              SlotKind.STRING, bytes, 0, bytes.length, session.charset(), session.lexerMode());
      return value instanceof SqlValue.Text(String text) ? text : literal;
    }
    String text = variable == null ? null : UserVariables.text(session, variable);
    return text == null ? "NULL" : text;
  }

  private static Scan scan(String sql, Session session) {
    byte[] bytes = sql.getBytes(session.charset());
    return CountedTexts.scan(bytes, session);
  }

  private static void execute(PreparedText.Execute execute, Answer answer) {
    Session session = answer.session();
    PreparedStatements.Named known = session.statements().named(execute.name());
    if (known == null) {
      answer.fail(ErrorCatalogue.UNKNOWN_STATEMENT.refuse(execute.name(), "EXECUTE"));
      return;
    }
    Scan scan = scan(known.sql(), session);
    LexerMode former = known.reading().mode();
    LexerMode now = session.lexerMode();
    if (former.ansiQuotes() != now.ansiQuotes()
        || former.noBackslashEscapes() != now.noBackslashEscapes()) {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "executing what was prepared under another sql_mode", "prepare it again"));
      return;
    }
    run(scan, known.database(), execute.values(), known.history(), answer);
  }

  private static void execute(PreparedText.Immediate immediate, Answer answer) {
    Session session = answer.session();
    String sql = text(immediate.literal(), immediate.variable(), session);
    Scan scan = scan(sql, session);
    if (scan.next() >= 0) {
      answer.fail(
          Syntax.near(sql, new String(scan.sql(), 0, scan.next(), session.charset()).length()));
      return;
    }
    RefusedException refusal = refusal(scan);
    if (refusal != null) {
      answer.fail(refusal);
      return;
    }
    run(scan, null, immediate.values(), new TypeHistory(), answer);
  }

  private static MarkerLiterals.Value of(PreparedText.Value value, Session session, Backend on) {
    String variable = value.variable();
    String literal = value.literal();
    return variable != null || literal == null
        ? UserVariables.parameter(session, on, String.valueOf(variable))
        : MarkerLiterals.Value.of(literal);
  }

  private static @Nullable String database(Session session) {
    Backend selected = session.backend();
    return selected == null ? null : selected.database().name();
  }

  private static void run(
      Scan scan,
      @Nullable String database,
      List<PreparedText.Value> values,
      TypeHistory history,
      Answer answer) {
    Session session = answer.session();
    if (scan.parameterCount() != values.size()) {
      answer.fail(ErrorCatalogue.WRONG_ARGUMENTS.refuse("EXECUTE"));
      return;
    }
    SourceText source = CountedTexts.read(scan, session);
    if (values.isEmpty()) {
      answer.insteadOf(source.text(), database);
      return;
    }
    Backend reader = reader(source, database, session);
    Supplier<Runnable> last =
        () -> executed(source, scan.kind(), values, reader, database, history, answer);
    if (reader.knowsServers() && !WrittenValues.mayBeLong(session)) {
      last.get().run();
    } else {
      answer.blocking(
          () -> {
            reader.learnServers();
            return last.get();
          });
    }
  }

  /**
   * MySQL gives parameters types by their places, and converts values to them: the servers
   * themselves must know of both. What is stored as it stands is converted by its column alone; but
   * beside others its type counts, for all are settled together. To MariaDB a parameter is what its
   * value is.
   */
  private static Runnable executed(
      SourceText source,
      StatementKind kind,
      List<PreparedText.Value> values,
      Backend reader,
      @Nullable String database,
      TypeHistory history,
      Answer answer) {
    Session session = answer.session();
    boolean binds = isPlanned(kind) && !reader.database().isPassThrough() && !reader.isMariaDb();
    try (var room = new WrittenValues(session)) {
      values.stream().map(PreparedText.Value::variable).filter(Objects::nonNull).forEach(room::add);
      ExecuteParameters parameters =
          binds && !areAll(StoredMarkers.of(source.bytes(), values.size()))
              ? BoundVariables.of(
                  values.stream().map(PreparedText.Value::variable).toList(), session)
              : null;
      if (parameters == null) {
        List<MarkerLiterals.Value> all =
            values.stream().map(value -> of(value, session, reader)).toList();
        String literal = MarkerLiterals.in(source, all);
        return () -> answer.insteadOf(literal, database);
      }
      return () -> answer.insteadOf(source.text(), database, parameters.of(history));
    }
  }

  private static boolean areAll(boolean[] stored) {
    for (boolean each : stored) {
      if (!each) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlanned(StatementKind kind) {
    return switch (kind) {
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE -> true;
      default -> false;
    };
  }

  /** Whose servers read the text: values are written for them. */
  private static Backend reader(SourceText source, @Nullable String database, Session session) {
    Backend selected =
        database == null ? session.backend() : session.deployment().backend(database);
    Backend named = selected == null ? UnscopedStatement.named(source, session) : selected;
    return named == null ? session.anyBackend() : named;
  }
}
