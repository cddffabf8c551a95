package io.anabranch.frontend.administration;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A statement in the words of administration that is none of {@link AdministrationStatements}. No
 * database knows it either: going there it would come back as a syntax error, and leave passwords
 * in the database's log.
 *
 * @param words how it begins; without what it says
 * @param instead what there is
 */
record UnknownStatement(String words, String instead) {

  private static final int MOST_WORDS = 4;
  private static final String ALL = "see SHOW ADMINISTRATION STATEMENTS";
  private static final String FILE = "change it in global.yaml, then RELOAD CONFIGURATION";

  /** What rules are of, behind CREATE, ALTER, DROP, SHOW and COUNT. */
  private static final Set<String> SUBJECTS =
      Set.of("SHARDING", "BROADCAST", "ENCRYPT", "MASK", "SHADOW", "SINGLE", "READWRITE_SPLITTING");

  /** The same, and data sources. */
  private static final Set<String> SUBJECTS_AND_UNITS =
      Set.of(
          "SHARDING",
          "BROADCAST",
          "ENCRYPT",
          "MASK",
          "SHADOW",
          "SINGLE",
          "READWRITE_SPLITTING",
          "STORAGE");

  /** First words that no database has in this place. */
  private static final Set<String> VERBS =
      Set.of(
          "REGISTER",
          "UNREGISTER",
          "UNLOAD",
          "RELOAD",
          "REFRESH",
          "LABEL",
          "UNLABEL",
          "RELABEL",
          "IMPORT",
          "EXPORT",
          "CONVERT",
          "COUNT",
          "ENABLE",
          "DISABLE",
          "SAVE");

  /** Rules of all databases, which only their file changes. */
  private static final Set<String> GLOBAL_RULES =
      Set.of(
          "AUTHORITY",
          "GLOBAL_CLOCK",
          "LOGGING",
          "SQL_FEDERATION",
          "SQL_PARSER",
          "SQL_TRANSLATOR",
          "STREAMING",
          "TRANSACTION",
          "TRANSMISSION");

  /** First words of databases' own statements. */
  private static final Set<String> SERVERS_VERBS =
      Set.of(
          "ALTER",
          "ANALYZE",
          "BACKUP",
          "BEGIN",
          "BINLOG",
          "CACHE",
          "CALL",
          "CASE",
          "CHANGE",
          "CHECK",
          "CHECKSUM",
          "CLONE",
          "CLOSE",
          "COMMIT",
          "CREATE",
          "DEALLOCATE",
          "DECLARE",
          "DELETE",
          "DELIMITER",
          "DESC",
          "DESCRIBE",
          "DO",
          "DROP",
          "EXECUTE",
          "EXPLAIN",
          "FETCH",
          "FLUSH",
          "FOR",
          "GET",
          "GRANT",
          "HANDLER",
          "HELP",
          "IF",
          "INSERT",
          "INSTALL",
          "ITERATE",
          "KILL",
          "LEAVE",
          "LOAD",
          "LOCK",
          "LOOP",
          "OPEN",
          "OPTIMIZE",
          "PREPARE",
          "PREVIEW",
          "PURGE",
          "RELEASE",
          "RENAME",
          "REPAIR",
          "REPEAT",
          "REPLACE",
          "RESET",
          "RESIGNAL",
          "RESTART",
          "RETURN",
          "REVOKE",
          "ROLLBACK",
          "SAVEPOINT",
          "SELECT",
          "SET",
          "SHOW",
          "SHUTDOWN",
          "SIGNAL",
          "START",
          "STOP",
          "TABLE",
          "TRUNCATE",
          "UNINSTALL",
          "UNLOCK",
          "UPDATE",
          "USE",
          "VALUES",
          "WHILE",
          "WITH",
          "XA");

  /** What databases' CREATE, ALTER and DROP are followed by. */
  private static final Set<String> SERVERS_OBJECTS =
      Set.of(
          "AGGREGATE",
          "ALGORITHM",
          "DATABASE",
          "DEFINER",
          "EVENT",
          "EXTERNAL",
          "FULLTEXT",
          "FUNCTION",
          "IGNORE",
          "INDEX",
          "INSTANCE",
          "JSON",
          "LIBRARY",
          "LOGFILE",
          "MASKING",
          "OFFLINE",
          "ONLINE",
          "OR",
          "PACKAGE",
          "PREPARE",
          "PROCEDURE",
          "RESOURCE",
          "ROLE",
          "SCHEMA",
          "SEQUENCE",
          "SERVER",
          "SPATIAL",
          "SQL",
          "TABLE",
          "TABLES",
          "TABLESPACE",
          "TEMPORARY",
          "TRIGGER",
          "UNDO",
          "UNIQUE",
          "USER",
          "VECTOR",
          "VIEW");

  /** What follows databases' SHOW. */
  private static final Set<String> SERVERS_SHOWN =
      Set.of(
          "ALL",
          "ANALYZE",
          "AUTHORS",
          "BINARY",
          "BINLOG",
          "CHARACTER",
          "CHARSET",
          "CLIENT_STATISTICS",
          "COLLATION",
          "COLUMNS",
          "CONTRIBUTORS",
          "COUNT",
          "CREATE",
          "DATABASES",
          "ENGINE",
          "ENGINES",
          "ERRORS",
          "EVENTS",
          "EXPLAIN",
          "EXTENDED",
          "FIELDS",
          "FULL",
          "FUNCTION",
          "GLOBAL",
          "GRANTS",
          "INDEX",
          "INDEXES",
          "INDEX_STATISTICS",
          "KEYS",
          "LIBRARY",
          "LOCAL",
          "LOCALES",
          "MASTER",
          "OPEN",
          "PACKAGE",
          "PARSE_TREE",
          "PLUGINS",
          "PRIVILEGES",
          "PROCEDURE",
          "PROCESSLIST",
          "PROFILE",
          "PROFILES",
          "QUERY_RESPONSE_TIME",
          "RELAYLOG",
          "REPLICA",
          "REPLICAS",
          "SCHEMAS",
          "SESSION",
          "SLAVE",
          "SLAVES",
          "SPATIAL_REF_SYS",
          "STATUS",
          "TABLE",
          "TABLES",
          "TABLE_STATISTICS",
          "TRIGGERS",
          "USER_STATISTICS",
          "USER_VARIABLES",
          "VARIABLES",
          "WARNINGS",
          "WSREP_MEMBERSHIP",
          "WSREP_STATUS");

  /** What SHOW shows besides. */
  private static final Set<String> SHOWN =
      Set.of(
          "DIST",
          "COMPUTE",
          "AUTHORITY",
          "SQL_PARSER",
          "SQL_FEDERATION",
          "SQL_TRANSLATOR",
          "GLOBAL_CLOCK",
          "LOGGING",
          "TEMP",
          "TRANSACTION",
          "TRANSMISSION",
          "UNLOADED",
          "UNUSED",
          "CONFIGURATION",
          "ADMINISTRATION");

  /** Null if it is no statement of administration at all. */
  static @Nullable UnknownStatement find(SqlTokens tokens) {
    FormerWords former = FormerWords.find(tokens);
    if (former != null) {
      return new UnknownStatement(words(tokens), former.instead());
    }
    String first = tokens.text(0).toUpperCase(Locale.ROOT);
    boolean isOurs =
        switch (first) {
          case "SHOW" -> isShow(tokens);
          case "CREATE", "ALTER", "DROP" ->
              !isGroupSwitch(tokens)
                  && (isOneOf(tokens, 1, SUBJECTS)
                      || isUnit(tokens, 1)
                      || isDefault(tokens)
                      || isGlobalRule(tokens));
          case "SET" ->
              (tokens.isWord(1, "DIST") && tokens.isWord(2, "VARIABLE")) || isDefault(tokens);
          case "ROLLBACK" -> tokens.isWord(1, "CONFIGURATION");
          default -> VERBS.contains(first) && hasObject(tokens);
        };
    isOurs |= isMisspelt(tokens, first);
    return isOurs ? new UnknownStatement(words(tokens), instead(tokens, first)) : null;
  }

  /**
   * Whether it is one of ours but for a letter or two: {@code REGISTR STORAGE UNIT}, {@code ALTER
   * STORGE UNIT}. What may as well be a statement of databases is left to them.
   */
  private static boolean isMisspelt(SqlTokens tokens, String first) {
    if (tokens.kind(0) != TokenKind.WORD || tokens.size() < 2 || tokens.kind(1) != TokenKind.WORD) {
      return false;
    }
    boolean defines = first.equals("CREATE") || first.equals("ALTER") || first.equals("DROP");
    if (defines) {
      return isNear(tokens.text(1), SUBJECTS_AND_UNITS, SERVERS_OBJECTS);
    }
    return !SERVERS_VERBS.contains(first)
        && ((isNear(first, VERBS, SERVERS_VERBS) && hasSecondWordOfOurs(tokens))
            || hasWordsOfOurs(tokens));
  }

  /** Else it may be any text at all, of which databases say that it is none of theirs. */
  private static boolean hasSecondWordOfOurs(SqlTokens tokens) {
    return AdministrationStatements.all().stream()
        .map(form -> form.pattern().lead().split(" ", -1))
        .anyMatch(lead -> lead.length > 1 && tokens.isWord(1, lead[1]));
  }

  /** Whether a word that is in neither set is nearer to one of ours than to any of the servers'. */
  private static boolean isNear(String word, Set<String> ours, Set<String> servers) {
    String upper = word.toUpperCase(Locale.ROOT);
    if (ours.contains(upper) || servers.contains(upper)) {
      return false;
    }
    var all = new LinkedHashSet<>(servers);
    all.addAll(ours);
    String nearest = NearestName.nearest(upper, all);
    return nearest != null && !servers.contains(nearest);
  }

  /** Whether the second and the third word are those of a statement of the table. */
  private static boolean hasWordsOfOurs(SqlTokens tokens) {
    return AdministrationStatements.all().stream()
        .map(form -> form.pattern().lead().split(" ", -1))
        .anyMatch(
            lead -> lead.length > 2 && tokens.isWord(1, lead[1]) && tokens.isWord(2, lead[2]));
  }

  /** A word behind the verb: else it is a block's label, or nothing that anybody knows. */
  private static boolean hasObject(SqlTokens tokens) {
    boolean isImportOfMySql = tokens.isWord(0, "IMPORT") && tokens.isWord(1, "TABLE");
    return tokens.size() > 1 && tokens.kind(1) == TokenKind.WORD && !isImportOfMySql;
  }

  private static boolean isShow(SqlTokens tokens) {
    if (tokens.isWord(1, "READWRITE_SPLITTING")) {
      return !tokens.isWord(2, "EVENTS");
    }
    return isNearOurShow(tokens)
        || isOneOf(tokens, 1, SHOWN)
        || isOneOf(tokens, 1, SUBJECTS)
        || isUnit(tokens, 1)
        || isDefault(tokens)
        || (tokens.isWord(1, "RULES") && tokens.isWord(2, "USED"))
        || (tokens.isWord(1, "LOAD") && tokens.isWord(2, "BALANCE"))
        || (tokens.isWord(1, "KEY") && tokens.isWord(2, "GENERATE"));
  }

  /** Whether it begins like one of ours but for a letter or two: {@code SHOW STORAG UNITS}. */
  private static boolean isNearOurShow(SqlTokens tokens) {
    if (tokens.size() < 3 || tokens.kind(1) != TokenKind.WORD) {
      return false;
    }
    boolean isOfServers = tokens.isWord(1, "STORAGE") && tokens.isWord(2, "ENGINES");
    Set<String> ours =
        AdministrationStatements.beginningWith("SHOW").stream()
            .map(form -> form.pattern().lead().split(" ", -1)[1])
            .collect(Collectors.toSet());
    return (tokens.isWord(1, "STORAGE") && !isOfServers)
        || isNear(tokens.text(1), ours, SERVERS_SHOWN);
  }

  private static boolean isGroupSwitch(SqlTokens tokens) {
    return tokens.isWord(0, "ALTER") && tokens.isWord(1, "READWRITE_SPLITTING");
  }

  /** {@code DEFAULT SHARDING …}, {@code DEFAULT SINGLE …}, {@code DEFAULT SHADOW …}. */
  private static boolean isDefault(SqlTokens tokens) {
    return tokens.isWord(1, "DEFAULT") && isOneOf(tokens, 2, SUBJECTS);
  }

  private static boolean isGlobalRule(SqlTokens tokens) {
    return isOneOf(tokens, 1, GLOBAL_RULES) && tokens.isWord(2, "RULE");
  }

  private static boolean isUnit(SqlTokens tokens, int token) {
    return tokens.isWord(token, "STORAGE")
        && (tokens.isWord(token + 1, "UNIT") || tokens.isWord(token + 1, "UNITS"));
  }

  private static boolean isOneOf(SqlTokens tokens, int token, Set<String> words) {
    return words.stream().anyMatch(word -> tokens.isWord(token, word));
  }

  // ---------------------------------------------------------------- what is said of it

  private static String instead(SqlTokens tokens, String first) {
    if (!first.equals("SHOW") && isGlobalRule(tokens)) {
      return FILE;
    }
    Form sameWords = sameWords(tokens, first);
    if (sameWords != null) {
      return "it is written " + sameWords.syntax();
    }
    List<String> leads =
        AdministrationStatements.all().stream().map(form -> form.pattern().lead()).toList();
    String asked = leading(tokens, Integer.MAX_VALUE).toUpperCase(Locale.ROOT);
    String nearest = NearestName.suggestion(asked, leads);
    List<Form> ofVerb = AdministrationStatements.beginningWith(first);
    if (nearest == null && ofVerb.size() == 1) {
      return "there is " + ofVerb.getFirst().syntax();
    }
    return nearest == null ? ALL : nearest;
  }

  /** The statement of the table that begins with the most of the same words. */
  private static @Nullable Form sameWords(SqlTokens tokens, String first) {
    Form found = null;
    int most = 0;
    for (Form form : AdministrationStatements.beginningWith(first)) {
      String[] lead = form.pattern().lead().split(" ", -1);
      boolean isSame = tokens.between(0, lead.length).consistsOf(i -> tokens.isWord(i, lead[i]));
      if (isSame && lead.length > most) {
        found = form;
        most = lead.length;
      }
    }
    return found;
  }

  private static String words(SqlTokens tokens) {
    return leading(tokens, MOST_WORDS);
  }

  /** The words that it begins with, which are no names and no values. */
  private static String leading(SqlTokens tokens, int most) {
    int end = tokens.all().skip(token -> token < most && isKeyWord(tokens.text(token), token));
    return String.join(" ", tokens.between(0, end).texts());
  }

  private static boolean isKeyWord(String text, int token) {
    return text.chars().allMatch(c -> c == '_' || (c >= 'A' && c <= 'Z'))
        || (token < 2 && text.chars().allMatch(Character::isLetter));
  }
}
