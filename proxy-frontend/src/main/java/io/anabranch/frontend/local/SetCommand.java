package io.anabranch.frontend.local;

import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.SyntaxProbe;
import io.anabranch.frontend.effect.VariableProbe;
import io.anabranch.frontend.rewrite.SessionFunctions;
import io.anabranch.frontend.session.CountedTexts;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.show.OwnVariables;
import io.anabranch.frontend.statement.DeprecatedCharacterSets;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SET. Character sets, autocommit and the next transaction are the proxy's own; all other
 * assignments are tried on a database, which checks names and computes values, and kept as
 * literals.
 */
final class SetCommand {

  /** The proxy's own: what the session's reads from replicas are sure to see. */
  private static final String READ_CONSISTENCY = "anabranch_read_consistency";

  /** What SET NAMES gives one value. */
  private static final List<String> CHARACTER_SETS =
      List.of("character_set_client", "character_set_connection", "character_set_results");

  /**
   * What a database has against setting a global variable when it prepares that: ER_PARSE_ERROR,
   * ER_UNKNOWN_SYSTEM_VARIABLE, ER_LOCAL_VARIABLE, ER_INCORRECT_GLOBAL_LOCAL_VAR,
   * ER_UNKNOWN_STRUCTURED_VARIABLE.
   */
  private static final Set<Integer> NOT_GLOBAL = Set.of(1064, 1193, 1228, 1238, 4081);

  void run(SourceText source, Answer answer) {
    switch (SetStatement.parse(source)) {
      case SetStatement.Assignments assignments -> {
        if (isOverShards(answer) && isQuery(assignments.list(), source.tokens(), answer)) {
          answer.plan();
        } else {
          assign(known(assignments.list(), answer.session()), source, answer);
        }
      }
      case SetStatement.Transaction transaction -> transaction(transaction, answer);
      case SetStatement.ForStatement each -> {
        if (!LocalStatements.takeApart(answer.session())
            && isRelayed(each, source, answer.session())) {
          answer.plan();
        } else if (!answer.session().deployment().isMariaDb()) {
          SyntaxProbe.fail(source, source.tokens().start(2), answer);
        } else {
          SetForStatement.run(each, source, answer);
        }
      }
      case SetStatement.Other _ -> passOn(answer, "this form of SET");
      case SetStatement.Malformed(int at) -> SyntaxProbe.fail(source, at, answer);
    }
  }

  /**
   * Whether it may run as it is: what it leaves in its connection is then what is asked of any
   * statement. All others are looked at, and run, by themselves.
   */
  private static boolean isRelayed(
      SetStatement.ForStatement outer, SourceText source, Session session) {
    byte[] text = source.bytes();
    byte[] inner = Arrays.copyOfRange(text, outer.statementOffset(), text.length);
    return switch (CountedTexts.scan(inner, session).kind()) {
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE -> true;
      default -> false;
    };
  }

  /** Values with what only the session knows: a database computes the rest of them. */
  static List<Assignment> known(List<Assignment> list, Session session) {
    boolean givesId =
        list.stream()
            .anyMatch(
                each ->
                    switch (each) {
                      case Assignment.Variable(Scope _, String _, String value) ->
                          SessionFunctions.giveInsertId(value, session);
                      case Assignment.UserVariable(String _, String value) ->
                          SessionFunctions.giveInsertId(value, session);
                      case Assignment.Names _, Assignment.CharacterSet _ -> false;
                    });
    return list.stream().map(each -> known(each, session, givesId)).toList();
  }

  private static Assignment known(Assignment assignment, Session session, boolean givesId) {
    return switch (assignment) {
      case Assignment.Variable(Scope scope, String name, String value) ->
          new Assignment.Variable(scope, name, SessionFunctions.assigned(value, session, givesId));
      case Assignment.UserVariable(String name, String value) ->
          new Assignment.UserVariable(name, SessionFunctions.assigned(value, session, givesId));
      case Assignment.Names _, Assignment.CharacterSet _ -> assignment;
    };
  }

  private static boolean isOverShards(Answer answer) {
    Session session = answer.session();
    return session.database().hasServer() && !session.anyBackend().database().isPassThrough();
  }

  /** Values from tables are found like those of a query, where one database may not have them. */
  private static boolean isQuery(List<Assignment> list, SqlTokens tokens, Answer answer) {
    boolean readsTables = tokens.mention("FROM") || tokens.mention("TABLE");
    if (!readsTables || !Subqueries.are(tokens, tokens.size())) {
      return false;
    }
    return list.stream().allMatch(Assignment.UserVariable.class::isInstance)
        || answer.session().anyBackend().database().shardedTables().keySet().stream()
            .anyMatch(tokens::mention);
  }

  private static void passOn(Answer answer, String construct) {
    if (!isOverShards(answer)) {
      answer.plan();
    } else {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              construct + " in a sharded database", "run it on the data sources themselves"));
    }
  }

  private static void transaction(SetStatement.Transaction wanted, Answer answer) {
    Session session = answer.session();
    switch (wanted.scope()) {
      case NEXT -> {
        session.transaction().setNext(NextTransaction.options(wanted));
        answer.ok();
      }
      case GLOBAL, PERSIST -> passOn(answer, "SET GLOBAL");
      case SESSION ->
          answer.blocking(
              () -> {
                VariableProbe.applyOneOf(
                    session, characteristics("tx", wanted), characteristics("transaction", wanted));
                return answer::ok;
              });
    }
  }

  /** The variables behind SET SESSION TRANSACTION; their prefix differs between servers. */
  private static List<Assignment> characteristics(String prefix, SetStatement.Transaction wanted) {
    var list = new ArrayList<Assignment>(2);
    if (wanted.isolation() != null) {
      // words of the grammar, which no character set of the session's reads otherwise
      String value = "_utf8mb4" + TableNames.literal(wanted.isolation());
      list.add(new Assignment.Variable(Scope.SESSION, prefix + "_isolation", value));
    }
    if (wanted.readOnly() != null) {
      String value = wanted.readOnly() ? "1" : "0";
      list.add(new Assignment.Variable(Scope.SESSION, prefix + "_read_only", value));
    }
    return list;
  }

  /** Null for DEFAULT. */
  private static @Nullable Consistency consistency(String value) {
    String name = value.strip().toUpperCase(Locale.ROOT);
    if (name.length() > 1 && (name.startsWith("'") || name.startsWith("\""))) {
      name = name.substring(1, name.length() - 1);
    }
    if (name.equals("DEFAULT")) {
      return null;
    }
    for (Consistency each : Consistency.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw ErrorCatalogue.WRONG_OWN_VALUE.refuse(
        READ_CONSISTENCY, name, "EVENTUAL, SESSION, USER, GLOBAL or DEFAULT");
  }

  private static boolean isGlobal(Assignment assignment) {
    return assignment instanceof Assignment.Variable variable
        && (variable.scope() == Scope.GLOBAL || variable.scope() == Scope.PERSIST);
  }

  /** Whether such a variable can be set at all is the servers' to say. */
  private static void global(SourceText source, Answer answer) {
    if (isOverShards(answer)) {
      SyntaxProbe.unless(source, NOT_GLOBAL, answer, () -> passOn(answer, "SET GLOBAL"));
    } else {
      answer.plan();
    }
  }

  private static void assign(List<Assignment> list, SourceText source, Answer answer) {
    if (list.stream().allMatch(VariableProbe::isOfConnection)) {
      passOn(answer, "SET " + name(list.getFirst()));
      return;
    }
    if (list.stream().anyMatch(SetCommand::isGlobal)) {
      if (!isOverShards(answer) && !list.stream().allMatch(SetCommand::isGlobal)) {
        // a server takes the whole text: the connection would have what is the session's
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "SET of GLOBAL and other variables together",
            "set each kind in a statement of its own");
      }
      global(source, answer);
      return;
    }
    BeforeSet before = BeforeSet.of(answer.session());
    try {
      assign(list, before, answer);
    } catch (RefusedException refusal) {
      before.restore();
      throw refusal;
    }
  }

  /** All of them, or none. */
  private static void assign(List<Assignment> list, BeforeSet before, Answer answer) {
    Session session = answer.session();
    boolean names = list.stream().anyMatch(SetCommand::isOfNames);
    var checked = new ArrayList<Assignment>(list.size());
    var spoken = new ArrayList<Assignment>();
    Boolean autocommit = null;
    String computed = null;
    for (Assignment assignment : list) {
      switch (assignment) {
        case Assignment.Variable variable when variable.scope() == Scope.NEXT ->
            session.transaction().setNext(NextTransaction.options(variable));
        case Assignment.Variable variable when variable.name().equals("autocommit") -> {
          autocommit = AutocommitValue.known(variable.value());
          computed = autocommit == null ? variable.value() : null;
        }
        case Assignment.Variable variable when variable.name().equals(READ_CONSISTENCY) ->
            session.reads().choose(consistency(variable.value()));
        case Assignment.Variable variable when OwnVariables.has(variable) ->
            OwnVariables.set(variable, session);
        case Assignment.Names _, Assignment.CharacterSet _ -> spoken.add(assignment);
        case Assignment.Variable variable -> {
          refuseCharacteristics(variable);
          boolean isSpoken = names && SettingsReplay.isCharacterSet(variable.name());
          (isSpoken ? spoken : checked).add(variable);
        }
        case Assignment.UserVariable variable -> checked.add(variable);
      }
    }
    boolean isKnown = spoken.stream().allMatch(Assignment.Names.class::isInstance);
    if (checked.isEmpty() && computed == null && isKnown) {
      answer.warned(speak(spoken, session));
      autocommit(autocommit, answer);
      return;
    }
    Boolean known = autocommit;
    String expression = computed;
    answer.blocking(
        () -> {
          Boolean wanted;
          var warned = new ArrayList<List<String>>();
          try {
            wanted =
                expression == null
                    ? known
                    : Boolean.valueOf(AutocommitValue.computed(expression, session));
            if (!checked.isEmpty()) {
              warned.addAll(VariableProbe.apply(session, checked));
            }
            // a server reads the whole text, and computes all values, before it speaks otherwise
            warned.addAll(speak(spoken, session));
          } catch (RefusedException | ShardException failure) {
            before.restore();
            throw failure;
          }
          return () -> {
            answer.warned(warned);
            if (checked.stream().anyMatch(SetCommand::tracksTransactions)) {
              session.changes().transaction(session.transaction().isOpen());
            }
            autocommit(wanted, answer);
          };
        });
  }

  private static boolean isOfNames(Assignment assignment) {
    return assignment instanceof Assignment.Names || assignment instanceof Assignment.CharacterSet;
  }

  /**
   * The session speaks what they say, one after the other. Blocks, but for SET NAMES.
   *
   * @return what a server warns of
   */
  private static List<List<String>> speak(List<Assignment> spoken, Session session) {
    var warned = new ArrayList<List<String>>();
    for (Assignment assignment : spoken) {
      switch (assignment) {
        case Assignment.Names names -> warned.addAll(names(session, names));
        case Assignment.CharacterSet charset -> {
          // MySQL warns of none here
          var _ = names(session, new Assignment.Names(charset.charset(), null));
          // the database's own: only a database knows it
          var ofDatabase =
              new Assignment.Variable(
                  Scope.SESSION, "collation_connection", "@@collation_database");
          warned.addAll(VariableProbe.apply(session, List.of(ofDatabase)));
          tellConnectionCharset(session);
        }
        case Assignment.Variable _, Assignment.UserVariable _ ->
            warned.addAll(VariableProbe.apply(session, List.of(assignment)));
      }
    }
    return warned;
  }

  /** SET CHARACTER SET: the connection's is the database's own. */
  private static void tellConnectionCharset(Session session) {
    String literal = session.settings().variables().get("collation_connection");
    Collation known = literal == null ? null : Collation.byName(literal.replace("'", ""));
    if (known != null) {
      session.changes().variable("character_set_connection", known.characterSet());
    }
  }

  private static boolean tracksTransactions(Assignment assignment) {
    return assignment instanceof Assignment.Variable variable
        && variable.name().equals("session_track_transaction_info");
  }

  private static void refuseCharacteristics(Assignment.Variable variable) {
    if (tracksTransactions(variable)
        && variable.value().toUpperCase(Locale.ROOT).contains("CHARACTER")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "session_track_transaction_info = CHARACTERISTICS", "track the STATE");
    }
  }

  private static String name(Assignment assignment) {
    return assignment instanceof Assignment.Variable variable ? variable.name() : "";
  }

  private static void autocommit(@Nullable Boolean wanted, Answer answer) {
    SessionTransaction transaction = answer.session().transaction();
    if (wanted != null) {
      answer.session().changes().variable("autocommit", wanted ? "ON" : "OFF");
    }
    if (wanted == null || wanted == transaction.isAutocommit()) {
      answer.ok();
    } else if (wanted && transaction.hasOpened()) {
      answer.session().changes().transaction(false);
      answer.blocking(
          () -> {
            transaction.commit(false);
            transaction.autocommit(true);
            return answer::ok;
          });
    } else {
      transaction.autocommit(wanted);
      answer.ok();
    }
  }

  /**
   * SET NAMES: takes the place of what was set of character sets one by one.
   *
   * @return what a server warns of
   */
  static List<List<String>> names(Session session, Assignment.Names names) {
    Collation collation = collation(names.charset(), names.collation());
    if (SettingsReplay.isWide(collation.characterSet())) {
      throw ErrorCatalogue.WRONG_VALUE.refuse("character_set_client", collation.characterSet());
    }
    if (collation.characterSet().equals("gb18030") && session.deployment().isMariaDb()) {
      throw ErrorCatalogue.UNKNOWN_CHARACTER_SET.refuse("gb18030");
    }
    if (collation.charset() == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse("character set " + names.charset(), "use utf8mb4");
    }
    session.language().names(collation, names.collation() != null);
    for (String each : CHARACTER_SETS) {
      session.changes().variable(each, collation.characterSet());
    }
    return session.deployment().isMariaDb()
        ? List.of()
        : DeprecatedCharacterSets.warnings(
            names.charset(), collation, names.collation() == null ? null : collation);
  }

  private static Collation collation(String charset, @Nullable String name) {
    Collation ofCharset =
        charset.equals("default")
            ? Collation.byId(Collation.UTF8MB4_GENERAL_CI)
            : Collation.defaultOf(charset);
    if (ofCharset == null) {
      throw ErrorCatalogue.UNKNOWN_CHARACTER_SET.refuse(charset);
    }
    if (name == null) {
      return ofCharset;
    }
    Collation named = Collation.byName(name);
    if (named == null) {
      throw ErrorCatalogue.UNKNOWN_COLLATION.refuse(name);
    }
    if (!named.characterSet().equals(ofCharset.characterSet())) {
      throw ErrorCatalogue.COLLATION_MISMATCH.refuse(name, ofCharset.characterSet());
    }
    return named;
  }
}
