package io.anabranch.frontend.statement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A SET statement, read.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/set-statement.html">SET</a>.
 */
public sealed interface SetStatement {

  /** {@code SET a = 1, @b := 2, NAMES utf8mb4}: one or more assignments, in order. */
  record Assignments(List<Assignment> list) implements SetStatement {
    public Assignments {
      list = List.copyOf(list);
    }
  }

  /** {@code SET [scope] TRANSACTION …}; isolation and access are null where not said. */
  record Transaction(Scope scope, @Nullable String isolation, @Nullable Boolean readOnly)
      implements SetStatement {}

  /**
   * MariaDB's {@code SET STATEMENT a=1 FOR …}.
   *
   * @param statementOffset byte offset of the inner statement within the SET statement
   * @param statementToken its first token among those of the SET statement
   */
  record ForStatement(List<Assignment> list, int statementOffset, int statementToken)
      implements SetStatement {
    public ForStatement {
      list = List.copyOf(list);
    }
  }

  /** SET ROLE, SET DEFAULT ROLE, SET PASSWORD, SET RESOURCE GROUP. */
  record Other() implements SetStatement {}

  /**
   * A form that the proxy does not know: it never reaches a server but to be checked.
   *
   * @param at where it goes wrong, in characters from the statement's start
   */
  record Malformed(int at) implements SetStatement {}

  /** One assignment. */
  sealed interface Assignment {

    /**
     * @param name lower case, without scope: no quotes are needed around it, so that it is nothing
     *     else where it stands in a statement
     * @param value SQL text of the value; {@code DEFAULT} included
     */
    record Variable(Scope scope, String name, String value) implements Assignment {

      private static final Pattern NAME = Pattern.compile("[a-z0-9_$.]+");

      /**
       * @throws RefusedException 1193 for a name that no system variable has
       */
      public Variable {
        if (!NAME.matcher(name).matches()) {
          throw ErrorCatalogue.UNKNOWN_SYSTEM_VARIABLE.refuse(name);
        }
      }
    }

    /**
     * @param name lower case, without {@code @} and quotes
     * @param value SQL text of the value
     */
    record UserVariable(String name, String value) implements Assignment {}

    /**
     * @param charset lower case; {@code default} for DEFAULT
     * @param collation lower case; null where not said
     */
    record Names(String charset, @Nullable String collation) implements Assignment {}

    /** SET CHARACTER SET: the connection's collation becomes the database's. */
    record CharacterSet(String charset) implements Assignment {}
  }

  /** Whose variable is set. */
  enum Scope {
    SESSION,
    GLOBAL,
    PERSIST,
    /** SET TRANSACTION and SET @@transaction_… without a scope: the next transaction only. */
    NEXT
  }

  /** Reads the statement. */
  static SetStatement parse(SourceText source) {
    var cursor = new TokenCursor(source);
    cursor.accept("SET");
    if (cursor.accept("STATEMENT")) {
      List<Assignment> list = assignments(cursor, "FOR");
      return list != null && cursor.accept("FOR") && !cursor.atEnd()
          ? new ForStatement(list, cursor.byteOffset(), cursor.position())
          : new Malformed(cursor.offset());
    }
    int start = cursor.position();
    Scope scope = scope(cursor);
    if (cursor.accept("TRANSACTION")) {
      return transaction(cursor, scope == null ? Scope.NEXT : scope);
    }
    cursor.moveTo(start);
    if (cursor.accept("ROLE") || cursor.accept("DEFAULT", "ROLE") || cursor.accept("RESOURCE")) {
      // servers take assignments behind some of them
      return cursor.hasAssignment() ? new Malformed(cursor.offset()) : new Other();
    }
    boolean isPassword = cursor.accept("PASSWORD") && !cursor.atEnd();
    if (isPassword && cursor.hasComma()) {
      return new Malformed(cursor.offset());
    }
    cursor.moveTo(start);
    List<Assignment> list = isPassword ? null : assignments(cursor, ";");
    if (list != null && cursor.atEnd()) {
      return new Assignments(list);
    }
    return isPassword ? new Other() : new Malformed(cursor.offset());
  }

  private static @Nullable List<Assignment> assignments(TokenCursor cursor, String stop) {
    var list = new ArrayList<Assignment>();
    Scope inherited = Scope.SESSION;
    do {
      if (cursor.atEnd()) {
        return null;
      }
      Scope said = scope(cursor);
      if (said != null && hasNoScope(cursor)) {
        return null;
      }
      // a scope keyword holds for the bare names behind it
      inherited = said == null ? inherited : said;
      Assignment assignment = assignment(cursor, inherited, stop);
      if (assignment == null) {
        return null;
      }
      list.add(assignment);
    } while (cursor.acceptPunctuation(','));
    return list;
  }

  /** Names of system variables alone come behind SESSION, GLOBAL and their kin. */
  private static boolean hasNoScope(TokenCursor cursor) {
    if (cursor.isKind(TokenKind.VARIABLE)) {
      return true;
    }
    int start = cursor.position();
    boolean isCharset =
        cursor.accept("NAMES") || cursor.accept("CHARACTER", "SET") || cursor.accept("CHARSET");
    boolean isVariable = isCharset && cursor.acceptAssignment();
    cursor.moveTo(start);
    return isCharset && !isVariable;
  }

  private static @Nullable Assignment assignment(TokenCursor cursor, Scope scope, String stop) {
    if (cursor.accept("NAMES")) {
      return names(cursor);
    }
    if (cursor.accept("CHARACTER", "SET") || cursor.accept("CHARSET")) {
      return cursor.atEnd() ? null : new Assignment.CharacterSet(lower(cursor.takeNameOrString()));
    }
    if (cursor.isKind(TokenKind.VARIABLE)) {
      return ofVariableToken(cursor, stop);
    }
    if (!cursor.isName()) {
      return null;
    }
    String name = lower(cursor.takeName());
    while (cursor.acceptPunctuation('.')) {
      if (!cursor.isName()) {
        return null;
      }
      name += "." + lower(cursor.takeName());
    }
    if (!assigns(cursor)) {
      return null;
    }
    return new Assignment.Variable(scope, name, cursor.takeExpression(stop));
  }

  /** Moves to the value. */
  private static boolean assigns(TokenCursor cursor) {
    return cursor.acceptAssignment() && !cursor.atEnd() && !cursor.isPunctuation(')');
  }

  private static @Nullable Assignment ofVariableToken(TokenCursor cursor, String stop) {
    VariableName variable = cursor.takeVariable();
    if (variable == null || !assigns(cursor)) {
      return null;
    }
    String value = cursor.takeExpression(stop);
    if (variable.user()) {
      return new Assignment.UserVariable(variable.name(), value);
    }
    Scope ofName = variable.scope();
    if (ofName == null) {
      // a scope keyword in front is for bare names
      ofName = isOfTransaction(variable.name()) ? Scope.NEXT : Scope.SESSION;
    }
    return new Assignment.Variable(ofName, variable.name(), value);
  }

  /**
   * Those of which {@code @@name} means the next transaction's, where {@code name} the session's.
   */
  private static boolean isOfTransaction(String name) {
    return switch (name) {
      case "transaction_isolation", "tx_isolation", "transaction_read_only", "tx_read_only" -> true;
      default -> false;
    };
  }

  private static @Nullable Assignment names(TokenCursor cursor) {
    if (cursor.atEnd()) {
      return null;
    }
    String charset = lower(cursor.takeNameOrString());
    if (!cursor.accept("COLLATE")) {
      return new Assignment.Names(charset, null);
    }
    return cursor.atEnd() ? null : new Assignment.Names(charset, lower(cursor.takeNameOrString()));
  }

  private static SetStatement transaction(TokenCursor cursor, Scope scope) {
    String isolation = null;
    Boolean readOnly = null;
    do {
      if (isolation == null && cursor.accept("ISOLATION", "LEVEL")) {
        if (cursor.accept("READ", "UNCOMMITTED")) {
          isolation = "READ-UNCOMMITTED";
        } else if (cursor.accept("READ", "COMMITTED")) {
          isolation = "READ-COMMITTED";
        } else if (cursor.accept("REPEATABLE", "READ")) {
          isolation = "REPEATABLE-READ";
        } else if (cursor.accept("SERIALIZABLE")) {
          isolation = "SERIALIZABLE";
        } else {
          return new Malformed(cursor.offset());
        }
      } else if (readOnly == null && cursor.accept("READ", "ONLY")) {
        readOnly = true;
      } else if (readOnly == null && cursor.accept("READ", "WRITE")) {
        readOnly = false;
      } else {
        return new Malformed(cursor.offset());
      }
    } while (cursor.acceptPunctuation(','));
    return cursor.atEnd()
        ? new Transaction(scope, isolation, readOnly)
        : new Malformed(cursor.offset());
  }

  private static @Nullable Scope scope(TokenCursor cursor) {
    if (cursor.accept("SESSION") || cursor.accept("LOCAL")) {
      return Scope.SESSION;
    }
    if (cursor.accept("GLOBAL")) {
      return Scope.GLOBAL;
    }
    return cursor.accept("PERSIST") || cursor.accept("PERSIST_ONLY") ? Scope.PERSIST : null;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
