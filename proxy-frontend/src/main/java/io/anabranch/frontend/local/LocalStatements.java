package io.anabranch.frontend.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.current.SyntaxProbe;
import io.anabranch.frontend.rewrite.SessionFunctions;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.show.GroupCommand;
import io.anabranch.frontend.show.ShowCommand;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.frontend.statement.UseStatement;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.Locale;
import java.util.function.Supplier;

/** Statements that the proxy answers itself, by family. Stateless. */
public final class LocalStatements {

  private static final String SET_STATEMENT = "SET STATEMENT ";

  /** Bytes of the normal form: thousands of words. */
  private static final int LONGEST = 64 << 10;

  /** Of those that name tables, which dumps write with all that a database has. */
  private static final int LONGEST_LIST = 512 << 10;

  private final TransactionCommand transactions = new TransactionCommand();
  private final SetCommand sets = new SetCommand();
  private final ShowCommand shows;
  private final KillCommand kills;
  private final NamedStatements named = new NamedStatements();
  private final RouteCommand routes = new RouteCommand();

  public LocalStatements(SessionRegistry registry) {
    shows = new ShowCommand(registry);
    kills = new KillCommand(registry);
  }

  /** Whether statements of this kind are looked at here first. */
  public boolean takes(StatementKind kind) {
    return switch (kind) {
      case BEGIN,
          COMMIT,
          ROLLBACK,
          SAVEPOINT,
          SET,
          USE,
          SHOW,
          KILL,
          XA,
          LOAD_DATA,
          EXPLAIN_ROUTE,
          ALTER_GROUP,
          PREPARE,
          EXECUTE,
          DEALLOCATE,
          LOCK_TABLES,
          UNLOCK_TABLES,
          FLUSH,
          ACCOUNT,
          EMPTY ->
          true;
      case SELECT,
          QUERY_EXPRESSION,
          INSERT,
          REPLACE,
          UPDATE,
          DELETE,
          CREATE,
          ALTER,
          DROP,
          RENAME,
          TRUNCATE,
          DESCRIBE,
          CALL,
          DO,
          HANDLER,
          TABLE_MAINTENANCE,
          OTHER ->
          false;
    };
  }

  /**
   * Refuses what would keep the event loop, on which these statements are read, from the sessions
   * that share it.
   *
   * @throws io.anabranch.rules.error.RefusedException if it is longer than anybody writes it,
   *     values aside
   */
  public static void requireShort(Scan scan) {
    int most =
        switch (scan.kind()) {
          // one string, which the statement is planned by when it is executed
          case PREPARE -> Integer.MAX_VALUE;
          // a variable for each of the markers that a statement may have
          case EXECUTE -> 2 * LONGEST;
          case BEGIN, LOCK_TABLES, FLUSH, LOAD_DATA, EXPLAIN_ROUTE -> LONGEST_LIST;
          case SET -> holdsAnother(scan) ? Integer.MAX_VALUE : LONGEST;
          default -> LONGEST;
        };
    if (scan.normalLength() > most) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement of more than "
              + (most >> 10)
              + " KiB, values aside, that the proxy answers itself,",
          "divide it");
    }
  }

  /** {@code SET STATEMENT … FOR} another one, which may be as long as it is. */
  private static boolean holdsAnother(Scan scan) {
    String head = new String(scan.copyNormalForm(SET_STATEMENT.length()), ISO_8859_1);
    return head.equalsIgnoreCase(SET_STATEMENT);
  }

  /**
   * Whether the settings of {@code SET STATEMENT … FOR} and the statement behind are looked at one
   * after the other: for several data sources, for users who may not do everything, and where
   * columns are encrypted or masked.
   */
  public static boolean takeApart(Session session) {
    LogicalDatabase database = session.anyBackend().database();
    return !database.isOfOneEndpoint()
        || !database.encryption().isEmpty()
        || session.database().isRestricted()
        || session.database().isMasked();
  }

  /** Whether preparing such a statement needs no look at it: its answer is OK, always. */
  public boolean isWithoutResult(StatementKind kind, Supplier<SourceText> source) {
    return switch (kind) {
      case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, USE, KILL, ALTER_GROUP, UNLOCK_TABLES -> true;
      case SET -> !source.get().tokens().isWord(1, "STATEMENT");
      default -> false;
    };
  }

  public void run(StatementKind kind, SourceText source, Answer answer) {
    ReadingCheck.check(kind, source, answer.session());
    switch (kind) {
      case BEGIN, COMMIT, ROLLBACK, SAVEPOINT -> transactions.run(source, answer);
      case SET -> sets.run(source, answer);
      case USE -> use(source, answer);
      case SHOW -> shows.run(source, answer);
      case KILL -> kills.run(source, answer);
      case EXPLAIN_ROUTE -> routes.run(source, answer);
      case ALTER_GROUP -> GroupCommand.alter(source, answer);
      case LOAD_DATA -> loadData(source.tokens(), answer);
      case PREPARE, EXECUTE, DEALLOCATE -> {
        Backend on = answer.session().anyBackend();
        if (kind == StatementKind.PREPARE && SessionFunctions.mayAsk(source, on)) {
          // its text is looked at
          answer.blocking(
              () -> {
                on.learnServers();
                return () -> run(kind, source, answer);
              });
        } else if (keepsTexts(answer) && !NamedStatements.isOwn(source, answer.session())) {
          answer.plan();
        } else {
          named.run(source, answer);
        }
      }
      case LOCK_TABLES -> LockCommand.lock(answer);
      case UNLOCK_TABLES -> {
        Syntax.requireEnd(source, 2);
        LockCommand.unlock(answer);
      }
      case FLUSH -> answer.plan();
      case EMPTY -> empty(source, answer);
      case ACCOUNT -> account(source, answer);
      default -> ofOneDatabase(kind, answer);
    }
  }

  private static void account(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(0, "SET")
        && SetStatement.parse(source) instanceof SetStatement.Malformed(int at)) {
      SyntaxProbe.fail(source, at, answer);
    } else if (isOfOwnAccount(tokens)) {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "a change of one's own account, which is in the proxy's configuration,",
              "change it there, or name the server's account"));
    } else if (makesLogin(tokens)) {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "CREATE USER, whose login the proxy would not know,",
              "an administrator of the proxy may add one by CREATE USER, or in authority.users of"
                  + " global.yaml; one of the server, on the data source itself"));
    } else {
      ofOneDatabase(words(tokens), answer);
    }
  }

  /** As the client begins the statement: SET ROLE, SET DEFAULT ROLE, DROP USER, GRANT. */
  static String words(SqlTokens tokens) {
    String first = upper(tokens, 0);
    boolean alone = tokens.isWord(0, "GRANT") || tokens.isWord(0, "REVOKE");
    if (alone) {
      return first;
    }
    int object = 1;
    if (tokens.isWord(0, "CREATE") && tokens.isWord(1, "OR")) {
      object = 3;
    }
    String named = first + " " + upper(tokens, object);
    return tokens.isWord(object, "DEFAULT") ? named + " " + upper(tokens, object + 1) : named;
  }

  private static String upper(SqlTokens tokens, int token) {
    return token < tokens.size() ? tokens.text(token).toUpperCase(Locale.ROOT) : "";
  }

  /** CREATE USER, and GRANT that makes one. */
  static boolean makesLogin(SqlTokens tokens) {
    boolean replaces = tokens.isWord(1, "OR");
    boolean creates = tokens.isWord(0, "CREATE") && tokens.isWord(replaces ? 3 : 1, "USER");
    return creates || (tokens.isWord(0, "GRANT") && tokens.mention("IDENTIFIED"));
  }

  /** A server would take the account that the data source is opened with. */
  static boolean isOfOwnAccount(SqlTokens tokens) {
    boolean setsPassword = tokens.isWord(0, "SET") && tokens.isWord(1, "PASSWORD");
    boolean setsRole = tokens.isWord(0, "SET") && tokens.isWord(1, "DEFAULT");
    boolean namesNone =
        // behind TO is the password: TO RANDOM
        (setsPassword && !tokens.isWord(2, "FOR"))
            || (setsRole && !tokens.all().hasWord("TO") && !tokens.all().hasWord("FOR"));
    if (namesNone) {
      return true;
    }
    return tokens
        .all()
        .has(
            i ->
                tokens.isWord(i, "CURRENT_USER")
                    || (tokens.isWord(i, "USER")
                        && tokens.isPunctuation(i + 1, '(')
                        && tokens.isPunctuation(i + 2, ')')));
  }

  /** Servers say OK to a comment. */
  private static void empty(SourceText source, Answer answer) {
    if (source.text().isBlank()) {
      answer.fail(ErrorCatalogue.EMPTY_QUERY.refuse());
    } else {
      answer.ok();
    }
  }

  /** Whether a server may keep prepared texts: nobody need look at them, no name is another. */
  private static boolean keepsTexts(Answer answer) {
    Session session = answer.session();
    return session.anyBackend().database().isOfOneEndpoint()
        && session.anyBackend().database().encryption().isEmpty()
        && !session.database().isRestricted()
        && !session.database().isMasked()
        && session.anyBackend().database().isNamedAlike();
  }

  private static boolean isPassThrough(Answer answer) {
    return answer.session().anyBackend().database().isPassThrough();
  }

  private static void use(SourceText source, Answer answer) {
    UseStatement statement = UseStatement.parse(source);
    if (statement == null) {
      answer.fail(Syntax.near(source));
      return;
    }
    answer.session().database().use(statement.database());
    answer.ok();
  }

  /** A client's file may go to any table, a file of a database's own machine to one database. */
  private static void loadData(SqlTokens tokens, Answer answer) {
    boolean local = tokens.isWord(2, "LOCAL") || tokens.isWord(3, "LOCAL");
    if (!local) {
      ofOneDatabase(StatementKind.LOAD_DATA, answer);
    } else if (answer.session().has(Capability.LOCAL_FILES)) {
      answer.plan();
    } else {
      answer.fail(ErrorCatalogue.NO_LOCAL_FILES.refuse());
    }
  }

  /** What only makes sense on one server goes on in pass-through databases. */
  private static void ofOneDatabase(StatementKind kind, Answer answer) {
    ofOneDatabase(kind.name().replace('_', ' '), answer);
  }

  private static void ofOneDatabase(String name, Answer answer) {
    if (isPassThrough(answer)) {
      answer.plan();
    } else {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              name + " in a sharded database", "run it on the data sources themselves"));
    }
  }
}
