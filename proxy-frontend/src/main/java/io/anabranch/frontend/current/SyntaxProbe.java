package io.anabranch.frontend.current;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a database whether it can parse a text, which it does not run. Blocks. */
public final class SyntaxProbe {

  /** ER_PARSE_ERROR and ER_SYNTAX_ERROR. */
  private static final Set<Integer> SYNTAX_ERRORS = Set.of(1064, 1149);

  private SyntaxProbe() {}

  /**
   * The database's own words for what is wrong with the text; null if it can be parsed.
   *
   * @throws RuntimeException if there is no connection to be had, or it broke
   */
  public static ShardException.@Nullable Database error(
      byte[] sql, Backend backend, Session session) {
    return error(sql, backend, session, SYNTAX_ERRORS);
  }

  /** The same for errors of these numbers, which are all that it has to say. */
  private static ShardException.@Nullable Database error(
      byte[] sql, Backend backend, Session session, Set<Integer> errors) {
    StatementLeases leases =
        session
            .connections()
            .leases(
                endpoint -> session.members().findBlocking(backend, endpoint, Access.WRITE).name(),
                Access.READ,
                session.settings());
    session.connections().usesNoTables();
    Lease lease = leases.ready(backend.anyEndpoint());
    ShardException.Database error = null;
    try {
      lease.shard().describe(ShardQuery.text(lease.dataSource(), sql));
    } catch (ShardException.Database refused) {
      error = errors.contains(refused.errno()) ? refused : null;
    } catch (ShardException.Lost broken) {
      throw leases.lost(lease, String.valueOf(broken.getMessage()));
    }
    leases.failed(lease, 0);
    return error;
  }

  /**
   * Answers a statement that the proxy cannot read with what a database says of it.
   *
   * @param at where it goes wrong, in characters: said where no database can be asked, or where it
   *     could read the statement
   */
  public static void fail(SourceText source, int at, Answer answer) {
    unless(source, answer, () -> answer.fail(Syntax.near(source.text(), at)));
  }

  /** Goes on unless a database cannot parse the statement: then that is the answer. */
  public static void unless(SourceText source, Answer answer, Runnable parsed) {
    unless(source, SYNTAX_ERRORS, answer, parsed);
  }

  /**
   * Goes on unless a database that is to prepare the statement has something against it.
   *
   * @param errors numbers of what counts
   */
  public static void unless(
      SourceText source, Set<Integer> errors, Answer answer, Runnable parsed) {
    Session session = answer.session();
    byte[] sql = source.bytes();
    answer.blocking(
        () -> {
          ShardException.Database error = null;
          try {
            error = error(sql, session.anyBackend(), session, errors);
          } catch (RefusedException unreachable) {
            return parsed;
          }
          ShardException.Database told = error;
          return told == null ? parsed : () -> answer.fail(told);
        });
  }
}
