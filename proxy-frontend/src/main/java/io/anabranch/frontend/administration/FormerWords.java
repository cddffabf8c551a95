package io.anabranch.frontend.administration;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements of ShardingSphere, of any of its releases, that begin otherwise than the proxy's own
 * and have no like here: what there is instead. No database knows them either.
 *
 * @param words that they begin with
 */
record FormerWords(List<String> words, String instead) {

  private static final String ROWS = "copy rows with the databases' own means";
  private static final String UNITS =
      "a resource is a storage unit: REGISTER, ALTER, UNREGISTER and SHOW STORAGE UNIT";
  private static final String HINTS =
      "hints stand in a comment in front of their statement: /* SHARDINGSPHERE_HINT: … */";
  private static final String NODES = "see `SHOW COMPUTE NODES`, and each proxy's own files";
  private static final String VARIABLES = "see SHOW DIST VARIABLES and SET DIST VARIABLE";
  private static final String AT_ONCE =
      "a statement comes in force at once, ROLLBACK CONFIGURATION takes it back";
  private static final String TOGETHER =
      "nothing is to be locked: a change comes in force whole, one after the other in a cluster";
  private static final String TRAFFIC = "see CREATE QUERY RULE, and load balancers";
  private static final String DISCOVERY =
      "groups find their primary themselves: `discovery` in !READWRITE_SPLITTING of the file";
  private static final String FILES =
      "see EXPORT DATABASE CONFIGURATION and IMPORT DATABASE CONFIGURATION, one for each database";
  private static final String METADATA = "it is written REFRESH DATABASE METADATA [database]";
  private static final String ROUTE = "there is EXPLAIN ROUTE statement";
  private static final String TABLES = "see SHOW TABLES and DESCRIBE";
  private static final String PLUGINS = "see SHOW SHARDING ALGORITHM PLUGINS and its like";

  private static final List<FormerWords> ALL = all();

  private static List<FormerWords> all() {
    var all = new ArrayList<FormerWords>();
    for (String job : List.of("MIGRATION", "SCALING", "STREAMING")) {
      for (String verb :
          List.of(
              "START",
              "STOP",
              "COMMIT",
              "ROLLBACK",
              "CHECK",
              "RESET",
              "APPLY",
              "CHECKOUT",
              "RESTORE",
              "CREATE",
              "ALTER",
              "DROP",
              "SHOW",
              "ADD",
              "REGISTER",
              "UNREGISTER")) {
        all.add(of(verb + " " + job, ROWS));
      }
    }
    all.add(of("MIGRATE", ROWS));
    for (String verb : List.of("ADD", "ALTER", "DROP", "SHOW")) {
      all.add(of(verb + " RESOURCE", UNITS));
    }
    for (String words :
        List.of(
            "RESOURCES",
            "SCHEMA RESOURCES",
            "DATABASE RESOURCES",
            "UNUSED RESOURCES",
            "UNUSED SCHEMA RESOURCES",
            "UNUSED DATABASE RESOURCES",
            "RULES USED RESOURCE")) {
      all.add(of("SHOW " + words, UNITS));
    }
    for (String verb : List.of("SET", "ADD", "CLEAR", "SHOW")) {
      all.add(of(verb + " SHARDING HINT", HINTS));
      all.add(of(verb + " READWRITE_SPLITTING HINT", HINTS));
    }
    all.add(of("CLEAR HINT", HINTS));
    for (String verb : List.of("ENABLE", "DISABLE", "LABEL", "RELABEL", "UNLABEL", "SHOW")) {
      all.add(of(verb + " INSTANCE", NODES));
    }
    for (String verb : List.of("ENABLE", "DISABLE", "LABEL", "RELABEL", "UNLABEL", "ALTER")) {
      all.add(of(verb + " COMPUTE NODE", NODES));
    }
    all.add(of("SHOW COMPUTE NODE", NODES));
    all.add(of("ALTER INSTANCE", NODES));
    for (String words : List.of("SHOW VARIABLE", "SHOW ALL VARIABLES", "SET VARIABLE")) {
      all.add(of(words, VARIABLES));
    }
    for (String verb : List.of("PREPARE", "APPLY", "DISCARD")) {
      all.add(of(verb + " DISTSQL", AT_ONCE));
    }
    all.add(of("LOCK CLUSTER", TOGETHER));
    all.add(of("UNLOCK CLUSTER", TOGETHER));
    for (String verb : List.of("CREATE", "ALTER", "DROP", "SHOW")) {
      all.add(of(verb + " TRAFFIC", TRAFFIC));
      all.add(of(verb + " DB_DISCOVERY", DISCOVERY));
    }
    all.add(of("COUNT DB_DISCOVERY", DISCOVERY));
    for (String words :
        List.of(
            "EXPORT METADATA",
            "IMPORT METADATA",
            "EXPORT STORAGE NODES",
            "EXPORT SCHEMA",
            "IMPORT SCHEMA")) {
      all.add(of(words, FILES));
    }
    all.add(of("FORCE REFRESH", METADATA));
    all.add(of("LOAD ALL SINGLE TABLES", "it is written LOAD SINGLE TABLE *.*"));
    all.add(
        of(
            "SHOW STATUS FROM READWRITE_SPLITTING RULE",
            "it is written SHOW STATUS FROM READWRITE_SPLITTING RULES [FROM database]"));
    all.add(of("PARSE", ROUTE));
    all.add(of("FORMAT", ROUTE));
    for (String words : List.of("LOGICAL TABLES", "FULL LOGICAL TABLES", "TABLE METADATA")) {
      all.add(of("SHOW " + words, TABLES));
    }
    all.add(of("SHOW IMPLEMENTATIONS OF", PLUGINS));
    all.add(of("SHOW PLUGINS OF", PLUGINS));
    return List.copyOf(all);
  }

  private static FormerWords of(String words, String instead) {
    return new FormerWords(List.of(words.split(" ", -1)), instead);
  }

  /** Null if the statement does not begin like one of them. */
  static @Nullable FormerWords find(SqlTokens tokens) {
    for (FormerWords each : ALL) {
      if (each.begins(tokens)) {
        return each;
      }
    }
    return null;
  }

  private boolean begins(SqlTokens tokens) {
    for (int i = 0; i < words.size(); i++) {
      if (!tokens.isWord(i, words.get(i))) {
        return false;
      }
    }
    return !isOfServers(tokens);
  }

  /** Whether what follows tells that the last word is a name, or one of the servers' own. */
  private boolean isOfServers(SqlTokens tokens) {
    int next = words.size();
    TokenKind following = next < tokens.size() ? tokens.kind(next) : null;
    if (next == 1) {
      // a block's label, perhaps
      return following != TokenKind.WORD;
    }
    return switch (words.getLast()) {
      case "RESOURCE" -> tokens.isWord(next, "GROUP");
      case "DISTSQL" -> following != null;
      case "INSTANCE" -> words.getFirst().equals("ALTER") && !tokens.isWord(next + 1, "SET");
      default -> following == TokenKind.OPERATOR;
    };
  }
}
