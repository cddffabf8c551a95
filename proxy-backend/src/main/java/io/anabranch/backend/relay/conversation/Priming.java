package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.protocol.command.CommandWriter;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * An execution that does nothing but give a statement the types that a client's has from its former
 * executions: a query that may return no row, which MySQL answers without looking at any table.
 * Anything else could do something: the client's execution is refused. On the event loop.
 */
final class Priming {

  private enum Step {
    GUARD,
    EXECUTION,
    RELEASE,
    OVER
  }

  private static final String LIMIT = "sql_select_limit";

  private final int statement;
  private final ExecuteParameters parameters;
  private final int[] wanted;
  private final byte[] guard;
  private final byte[] release;
  private final SwallowedAnswer answer;
  private Step step = Step.GUARD;
  private boolean isRefused;

  private Priming(
      int statement,
      ExecuteParameters parameters,
      int[] wanted,
      String guard,
      String release,
      long capabilities) {
    this.statement = statement;
    this.parameters = parameters;
    this.wanted = wanted;
    this.guard = guard.getBytes(StandardCharsets.UTF_8);
    this.release = release.getBytes(StandardCharsets.UTF_8);
    this.answer = new SwallowedAnswer(capabilities);
  }

  /**
   * @param parameters of which the types count
   * @param wanted parameter of each marker
   * @param applied to the connection
   * @param start what it has where that says nothing
   * @throws RefusedException if the statement cannot be executed without doing something
   */
  static Priming of(
      byte[] sql,
      int statement,
      ExecuteParameters parameters,
      int[] wanted,
      SessionSettings applied,
      StartValues start,
      long capabilities) {
    SqlTokens tokens = SqlTokens.of(new String(sql, StandardCharsets.ISO_8859_1));
    int first = tokens.all().skip(token -> tokens.isPunctuation(token, '('));
    if (!tokens.isAnyWord(first, "SELECT", "WITH") || mayReadOrWrite(tokens)) {
      throw refusal();
    }
    String own = applied.variables().get(LIMIT);
    String begun = start.literal(LIMIT);
    String limit = own != null ? own : begun != null ? begun : "DEFAULT";
    String set = "SET SESSION " + LIMIT + "=";
    return new Priming(statement, parameters, wanted, set + "0", set + limit, capabilities);
  }

  /** Whether it has a LIMIT of its own, or changes something; FOR UPDATE of no row locks none. */
  private static boolean mayReadOrWrite(SqlTokens tokens) {
    return tokens
        .all()
        .hasName(
            token ->
                tokens.isAnyWord(token, "LIMIT", "UPDATE", "DELETE", "INTO")
                    && !tokens.isWord(token - 1, "FOR"));
  }

  static RefusedException refusal() {
    return ErrorCatalogue.PARAMETER_TYPES.refuse();
  }

  /** The error that tells the refusal. */
  static ErrPacket error(RefusedException refusal) {
    return new ErrPacket(refusal.errno(), refusal.sqlState(), String.valueOf(refusal.getMessage()));
  }

  void begin(ByteBuf out) {
    CommandWriter.query(out, guard);
    answer.expect();
  }

  /**
   * Reads what the server answers.
   *
   * @param out takes what is to be sent next
   * @return whether it is over
   */
  boolean read(ByteBuf in, ByteBuf out) {
    while (step != Step.OVER && answer.read(in)) {
      switch (step) {
        case GUARD -> {
          isRefused = answer.error() != null;
          step = isRefused ? Step.OVER : Step.EXECUTION;
          if (!isRefused) {
            CommandWriter.stmtExecute(out, statement, parameters, wanted);
            CommandWriter.query(out, release);
            answer.expect(Response.BINARY);
          }
        }
        case EXECUTION -> {
          step = Step.RELEASE;
          answer.expect();
        }
        case RELEASE -> {
          step = Step.OVER;
          ErrPacket error = answer.error();
          if (error != null) {
            throw new IllegalStateException(
                "a setting could not be taken back: " + error.message());
          }
        }
        case OVER -> throw new IllegalStateException("more answers than commands");
      }
    }
    return step == Step.OVER;
  }

  /** Whether the statement could not be executed; after the end. */
  boolean isRefused() {
    return isRefused;
  }

  @Override
  public String toString() {
    return "priming " + statement + " " + step.name().toLowerCase(Locale.ROOT);
  }
}
