package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.sql.TableNames;
import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log's tables in the log's data source, and all statements on them. Names that go into
 * statements are letters, digits, {@code .}, {@code _} and {@code -} only. Blocks; thread-safe.
 */
final class LogStore {

  private static final Logger log = LoggerFactory.getLogger(LogStore.class);

  static final int NO_SUCH_TABLE = 1146;

  static final int MOST_AT_ONCE = 1000;

  /** What the names of the processes' locks begin with; whole names have at most 64 characters. */
  private static final String LOCK = "anabranch_xa.";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE IF NOT EXISTS anabranch_xa_cluster ("
              + "name VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,"
              + " code VARCHAR(6) CHARACTER SET ascii COLLATE ascii_bin NOT NULL) ENGINE=InnoDB"
              + " COMMENT='what XA branches of an Anabranch cluster are named by'",
          "CREATE TABLE IF NOT EXISTS anabranch_xa_node ("
              + "incarnation VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY"
              + " KEY, cluster VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " beats BIGINT NOT NULL DEFAULT 0,"
              + " beat TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)) ENGINE=InnoDB"
              + " COMMENT='proxies that may decide on XA transactions'",
          "CREATE TABLE IF NOT EXISTS anabranch_xa_log ("
              + "transaction_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY"
              + " KEY, decided TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)) ENGINE=InnoDB"
              + " COMMENT='XA transactions that are to be committed'");

  private final Links links;
  private final XaSource source;

  LogStore(Links links, XaSource source) {
    this.links = links;
    this.source = source;
  }

  XaSource source() {
    return source;
  }

  /** Creates the tables where they are absent; asks for no right to do so where they are not. */
  void create() {
    links.run(
        source,
        link -> {
          try {
            link.rows(
                "SELECT 1 FROM anabranch_xa_cluster, anabranch_xa_node, anabranch_xa_log LIMIT 0");
          } catch (ShardException.Database refused) {
            if (refused.errno() != NO_SUCH_TABLE) {
              throw refused;
            }
            TABLES.forEach(link::update);
          }
          return true;
        });
  }

  /**
   * What tells this cluster from another of the same name: made up by whoever asks first.
   *
   * @param proposal taken if there is none yet
   */
  String code(String cluster, String proposal) {
    return links.run(
        source,
        link -> {
          link.update(
              "INSERT IGNORE INTO anabranch_xa_cluster (name, code) VALUES (%s, %s)"
                  .formatted(TableNames.literal(cluster), TableNames.literal(proposal)));
          return link.rows(
                  "SELECT code FROM anabranch_xa_cluster WHERE name = "
                      + TableNames.literal(cluster))
              .getFirst()[0];
        });
  }

  /** A connection for the {@link LifeLine}. Blocks. */
  Links.Link take() {
    return links.take(source);
  }

  /** Whether the connection is to where the log is now: its group may have another primary. */
  boolean isAt(Links.Link over) {
    return over.dataSource().equals(source.member().get());
  }

  /**
   * Takes the lock that a process holds while it lives, without waiting for it.
   *
   * @return false if the server gives none, as some clusters do not
   */
  boolean lock(Links.Link over, String incarnation) {
    try {
      return over.rows("SELECT GET_LOCK(%s, 0)".formatted(TableNames.literal(LOCK + incarnation)))
          .getFirst()[0]
          .equals("1");
    } catch (ShardException.Database refused) {
      log.debug("XA: {} gives no locks: {}", source, refused.getMessage());
      return false;
    }
  }

  void register(Links.Link over, String cluster, String incarnation) {
    over.update(
        "INSERT INTO anabranch_xa_node (incarnation, cluster) VALUES (%s, %s)"
            .formatted(TableNames.literal(incarnation), TableNames.literal(cluster)));
  }

  /** Tells that a process lives; false if it has been declared dead. */
  boolean beat(Links.Link over, String incarnation) {
    return over.update(
            "UPDATE anabranch_xa_node SET beats = beats + 1, beat = CURRENT_TIMESTAMP(3)"
                + " WHERE incarnation = "
                + TableNames.literal(incarnation))
        > 0;
  }

  /** Processes whose lock is free, with the number of times that they have told that they live. */
  Map<String, String> gone(String cluster, String butFor) {
    return links.run(
        source,
        link ->
            link
                .rows(
                    "SELECT incarnation, beats FROM anabranch_xa_node WHERE cluster = %s AND incarnation <> %s AND IS_FREE_LOCK(CONCAT(%s, incarnation))"
                        .formatted(
                            TableNames.literal(cluster),
                            TableNames.literal(butFor),
                            TableNames.literal(LOCK)))
                .stream()
                .collect(Collectors.toMap(row -> row[0], row -> row[1])));
  }

  /** Declares a process dead unless it has told meanwhile that it lives. */
  boolean fence(String incarnation, String beats) {
    return links.run(
            source,
            link ->
                link.update(
                    "DELETE FROM anabranch_xa_node WHERE incarnation = %s AND beats = %s"
                        .formatted(TableNames.literal(incarnation), beats)))
        > 0;
  }

  /** A process that ends in good order. */
  void unregister(String incarnation) {
    links.run(
        source,
        link ->
            link.update(
                "DELETE FROM anabranch_xa_node WHERE incarnation = "
                    + TableNames.literal(incarnation)));
  }

  /**
   * Declares processes dead that have not told for so long that they live, by the database's clock.
   */
  long fence(String cluster, long timeoutMilliseconds) {
    return links.run(
        source,
        link ->
            link.update(
                "DELETE FROM anabranch_xa_node WHERE cluster = %s AND beat < CURRENT_TIMESTAMP(3) - INTERVAL %d MICROSECOND"
                    .formatted(TableNames.literal(cluster), timeoutMilliseconds * 1000)));
  }

  Set<String> living(String cluster) {
    return links.run(
        source,
        link ->
            firstColumn(
                link.rows(
                    "SELECT incarnation FROM anabranch_xa_node WHERE cluster = "
                        + TableNames.literal(cluster))));
  }

  /** A connection for decisions, on that event loop. Blocks. */
  Links.Link take(EventLoop on) {
    return links.take(source, on);
  }

  /**
   * Decides that transactions are committed. Blocks.
   *
   * @return those that are decided now, by this or an earlier attempt
   */
  Set<String> decide(Links.Link over, Collection<GlobalId> transactions) {
    return over.run(
        link -> {
          if (link.update(decision(transactions)) == transactions.size()) {
            return transactions.stream().map(GlobalId::toString).collect(Collectors.toSet());
          }
          return decided(link, transactions);
        });
  }

  /**
   * The statement that decides that transactions are committed: it inserts as many rows as there
   * are transactions, unless some are in the log or must not come there any more. Of a process that
   * has been declared dead nothing is written: the row that it lacks is locked against that until
   * the decision is durable.
   */
  String decision(Collection<GlobalId> transactions) {
    if (transactions.size() == 1) {
      GlobalId sole = transactions.iterator().next();
      return "INSERT IGNORE INTO anabranch_xa_log (transaction_id) SELECT %s FROM anabranch_xa_node WHERE incarnation = %s LOCK IN SHARE MODE"
          .formatted(TableNames.literal(sole.toString()), TableNames.literal(sole.incarnation()));
    }
    String wanted =
        transactions.stream()
            .map(
                id ->
                    "SELECT "
                        + TableNames.literal(id.toString())
                        + " AS id, "
                        + TableNames.literal(id.incarnation())
                        + " AS incarnation")
            .collect(Collectors.joining(" UNION ALL "));
    return "INSERT IGNORE INTO anabranch_xa_log (transaction_id) SELECT wanted.id FROM ("
        + wanted
        + ") wanted JOIN anabranch_xa_node node ON node.incarnation = wanted.incarnation"
        + " LOCK IN SHARE MODE";
  }

  /** Which of the transactions are in the log. */
  Set<String> decided(Collection<GlobalId> transactions) {
    return transactions.isEmpty()
        ? Set.of()
        : links.run(source, link -> decided(link, transactions));
  }

  private static Set<String> decided(Links.Link link, Collection<GlobalId> transactions) {
    return firstColumn(
        link.rows(
            "SELECT transaction_id FROM anabranch_xa_log WHERE transaction_id IN ("
                + list(transactions)
                + ")"));
  }

  /**
   * Transactions in the log that were named by the given prefix and decided longer ago than that,
   * by the database's clock; not more than {@link #MOST_AT_ONCE}.
   */
  Set<String> older(String prefix, long milliseconds) {
    return links.run(
        source,
        link ->
            firstColumn(
                link.rows(
                    "SELECT transaction_id FROM anabranch_xa_log WHERE LEFT(transaction_id, %d) = %s AND decided < CURRENT_TIMESTAMP(3) - INTERVAL %d MICROSECOND LIMIT %d"
                        .formatted(
                            prefix.length(),
                            TableNames.literal(prefix),
                            milliseconds * 1000,
                            MOST_AT_ONCE))));
  }

  /** Takes transactions out of the log that nobody can ask for any more. */
  void forget(Collection<GlobalId> transactions) {
    links.run(
        source,
        link ->
            link.update(
                "DELETE FROM anabranch_xa_log WHERE transaction_id IN ("
                    + list(transactions)
                    + ")"));
  }

  private static String list(Collection<GlobalId> transactions) {
    return TableNames.literals(transactions.stream().map(GlobalId::toString).toList());
  }

  private static Set<String> firstColumn(List<String[]> rows) {
    var values = new HashSet<String>();
    rows.forEach(row -> values.add(row[0]));
    return values;
  }
}
