package io.anabranch.frontend.statementlog;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.secret.SecretStatements;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement that was run, as it is logged.
 *
 * @param ended milliseconds since 1970
 * @param user of the configuration
 * @param login the name that the client has logged in by: another one for accounts of a store
 * @param client address and port
 * @param dataSources where it ran
 * @param times where its time went
 * @param rows sent
 * @param errno 0: it succeeded
 * @param written its text, or its normal form where literals are not shown; bounded
 * @param isWhole false: there is more text
 * @param tag what rules call it; null: nothing
 * @param explanation how its slowest data source runs it; null: that was not asked
 */
@SuppressWarnings("ArrayRecordComponent")
public record LoggedStatement(
    long ended,
    int session,
    String user,
    String login,
    String client,
    @Nullable String database,
    StatementKind kind,
    Lane lane,
    Set<String> dataSources,
    Times times,
    long rows,
    long affectedRows,
    int errno,
    byte[] written,
    Charset charset,
    boolean ansiQuotes,
    boolean showsLiterals,
    boolean isWhole,
    @Nullable String tag,
    @Nullable Explanation explanation) {

  /**
   * Where its time went, in nanoseconds; all but the sources' follow each other.
   *
   * @param sources by data source: its queries, which run beside each other
   */
  public record Times(
      long plan, long lease, long database, long merge, long write, Map<String, Long> sources) {

    static Times of(ExecutedStatement statement) {
      return new Times(
          statement.planNanos(),
          statement.leaseNanos(),
          statement.databaseNanos(),
          statement.mergeNanos(),
          statement.writeNanos(),
          statement.sourceNanos());
    }

    public long run() {
      return database + merge + write;
    }

    public long total() {
      return plan + lease + run();
    }
  }

  /** Of a text, with its literals. */
  static final int MOST_BYTES = 16 * 1024;

  /**
   * On the session's event loop.
   *
   * @param wantsLiterals whether literals are shown, but for those that may be secrets
   */
  public static LoggedStatement of(ExecutedStatement statement, boolean wantsLiterals) {
    boolean showsLiterals = wantsLiterals && !SecretStatements.mayBe(statement.scan());
    Session session = statement.session();
    String source = statement.dataSource();
    byte[] written = showsLiterals ? text(statement.scan()) : statement.normalForm();
    boolean isWhole =
        showsLiterals
            ? written.length == statement.scan().end() - statement.scan().start()
            : written.length < ExecutedStatement.WrittenForm.MOST_BYTES;
    return new LoggedStatement(
        System.currentTimeMillis(),
        session.id(),
        session.user().name(),
        session.loginName(),
        session.clientPlace(),
        statement.database(),
        statement.kind(),
        statement.lane(),
        source == null ? statement.dataSources() : Set.of(source),
        Times.of(statement),
        statement.rows(),
        statement.affectedRows(),
        statement.errno(),
        written,
        session.charset(),
        session.lexerMode().ansiQuotes(),
        showsLiterals,
        isWhole,
        statement.tag(),
        null);
  }

  LoggedStatement explained(Explanation by) {
    return new LoggedStatement(
        ended,
        session,
        user,
        login,
        client,
        database,
        kind,
        lane,
        dataSources,
        times,
        rows,
        affectedRows,
        errno,
        written,
        charset,
        ansiQuotes,
        showsLiterals,
        isWhole,
        tag,
        by);
  }

  private static byte[] text(Scan scan) {
    int end = Math.min(scan.end(), scan.start() + MOST_BYTES);
    return Arrays.copyOfRange(scan.sql(), scan.start(), end);
  }

  /** The statement, with {@code ?} for literals where these are not shown. */
  public String text() {
    return showsLiterals
        ? new String(written, charset) + (isWhole ? "" : "...")
        : DigestText.sample(written, charset, ansiQuotes);
  }

  /** The same, where many are asked for. */
  String text(StatementTexts texts) {
    return showsLiterals ? text() : texts.of(written, charset, ansiQuotes);
  }
}
