package io.anabranch.app;

import io.anabranch.rules.catalog.LooseKeys;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.LogicalDatabase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log once after the start which unique keys of sharded tables are unique on each node
 * only. Databases that cannot be reached yet are asked again for a while.
 */
final class KeyReport implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(KeyReport.class);
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 60;

  private final Map<LogicalDatabase, SchemaCatalog> open;

  KeyReport(Map<LogicalDatabase, SchemaCatalog> catalogs) {
    this.open = new LinkedHashMap<>(catalogs);
    open.keySet().removeIf(database -> database.shardedTables().isEmpty());
  }

  /** Ends when it is interrupted. */
  @Override
  public void run() {
    for (int attempt = 0; attempt < ATTEMPTS && !open.isEmpty(); attempt++) {
      open.entrySet().removeIf(entry -> isTold(entry.getKey(), entry.getValue()));
      if (open.isEmpty()) {
        return;
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static boolean isTold(LogicalDatabase database, SchemaCatalog catalog) {
    try {
      for (String warning : LooseKeys.warnings(database, catalog)) {
        log.warn("database {}: {}", database.name(), warning);
      }
      return true;
    } catch (RefusedException unreachable) {
      log.debug("database {}: keys are not known yet", database.name(), unreachable);
      return false;
    } catch (SchemaCatalog.DescribeException refused) {
      log.warn("database {}: keys cannot be read: {}", database.name(), refused.getMessage());
      return true;
    }
  }
}
