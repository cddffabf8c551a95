package io.anabranch.frontend.response;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where a throwable becomes an ERR packet: refusals and errors of databases as they
 * are, everything else as an internal error whose id is in the log with the stack.
 */
public final class Failures {

  private static final Logger log = LoggerFactory.getLogger(Failures.class);
  private static final String LOST = "AB3003: lost connection to a data source during query: ";

  private Failures() {}

  /**
   * In the words of the kind of server that the client was greeted by.
   *
   * @param who and what, for the log
   */
  public static ErrPacket packet(Throwable failure, String who, boolean isMariaDb) {
    return failure instanceof RefusedException refused && !isMariaDb
        ? refused
            .inMySql()
            .map(said -> new ErrPacket(said.errno(), said.sqlState(), said.message()))
            .orElseGet(() -> packet(failure, who))
        : packet(failure, who);
  }

  /**
   * @param who and what, for the log
   */
  public static ErrPacket packet(Throwable failure, String who) {
    return switch (failure) {
      case RefusedException refused ->
          new ErrPacket(refused.errno(), refused.sqlState(), String.valueOf(refused.getMessage()));
      case DescribeException database ->
          new ErrPacket(
              database.errno(), database.sqlState(), String.valueOf(database.getMessage()));
      case ShardException.Database database ->
          new ErrPacket(
              database.errno(), database.sqlState(), String.valueOf(database.getMessage()));
      case ShardException.Lost lost ->
          new ErrPacket(ErrorCatalogue.BACKEND_LOST.errno(), "HY000", LOST + lost.getMessage());
      case ProtocolViolationException violation ->
          new ErrPacket(
              violation.errno(), violation.sqlState(), String.valueOf(violation.getMessage()));
      case ClientGoneException gone -> packet(ErrorCatalogue.NET_ERROR_ON_WRITE.refuse(), who);
      default -> internal(failure, who);
    };
  }

  private static ErrPacket internal(Throwable failure, String who) {
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    log.error("internal error {} of {}", id, who, failure);
    RefusedException refused = ErrorCatalogue.INTERNAL.refuse(id);
    return new ErrPacket(refused.errno(), refused.sqlState(), String.valueOf(refused.getMessage()));
  }
}
