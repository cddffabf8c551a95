package io.anabranch.rules.secret;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Statements that may say a password or a key: accounts, replication, administration. Whatever logs
 * show of others, these are shown without their literals. Too many rather than too few: a
 * definition of a table with a column of such a name is one, too.
 */
public final class SecretStatements {

  private static final Pattern WORDS =
      Pattern.compile(
          "identified|password|passwd|pwd|passphrase|secret|token|credential|salt|auth|encrypt|connection|[-_]key|key[-_]"
              // a name or a property in quotes: 'key', 'aesKey'
              + "|(key|pass)['\"`]",
          Pattern.CASE_INSENSITIVE);

  private SecretStatements() {}

  /** Whether its literals may be secrets. What reads and writes rows is not looked at. */
  public static boolean mayBe(Scan scan) {
    return isOfSuchKind(scan.kind()) && WORDS.matcher(text(scan)).find();
  }

  private static String text(Scan scan) {
    return new String(
        scan.sql(), scan.start(), scan.end() - scan.start(), StandardCharsets.ISO_8859_1);
  }

  private static boolean isOfSuchKind(StatementKind kind) {
    return switch (kind) {
      case ACCOUNT,
          ALTER,
          ALTER_GROUP,
          CALL,
          CREATE,
          DROP,
          EXECUTE,
          EXPLAIN_ROUTE,
          OTHER,
          PREPARE,
          SET ->
          true;
      case BEGIN,
          COMMIT,
          DEALLOCATE,
          DELETE,
          DESCRIBE,
          DO,
          EMPTY,
          FLUSH,
          HANDLER,
          INSERT,
          KILL,
          LOAD_DATA,
          LOCK_TABLES,
          QUERY_EXPRESSION,
          RENAME,
          REPLACE,
          ROLLBACK,
          SAVEPOINT,
          SELECT,
          SHOW,
          TABLE_MAINTENANCE,
          TRUNCATE,
          UNLOCK_TABLES,
          UPDATE,
          USE,
          XA ->
          false;
    };
  }
}
