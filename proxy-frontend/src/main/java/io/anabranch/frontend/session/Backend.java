package io.anabranch.frontend.session;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.session.program.StoredPrograms;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.model.LogicalDatabase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One logical database with what serves it. Shared by all sessions; thread-safe.
 *
 * @param programs what leaves state there without saying so
 */
public record Backend(
    LogicalDatabase database,
    LeaseDesk desk,
    Topology topology,
    SchemaCatalog catalog,
    StoredPrograms programs) {

  private static final Logger log = LoggerFactory.getLogger(Backend.class);

  /** Nothing is known yet of its programs. */
  public Backend(
      LogicalDatabase database, LeaseDesk desk, Topology topology, SchemaCatalog catalog) {
    this(database, desk, topology, catalog, new StoredPrograms(catalog));
  }

  /** Whom to ask what any endpoint knows: the first that is up, as far as is known. */
  public String anyEndpoint() {
    for (String endpoint : database.endpoints()) {
      if (catalog.isReachable(endpoint)) {
        return endpoint;
      }
    }
    return database.endpoints().getFirst();
  }

  /**
   * Whether the servers that read what is written for them are MariaDB, whatever clients are
   * greeted as; MySQL otherwise. Blocks unless {@link #knowsServers}.
   */
  public boolean isMariaDb() {
    String known = known();
    return catalog.isMariaDb(known == null ? anyEndpoint() : known);
  }

  /** Whether {@link #isMariaDb} answers without a wait. */
  public boolean knowsServers() {
    return known() != null;
  }

  /** Asks for it, so that it is known from then on. Blocks. */
  public void learnServers() {
    boolean isMariaDb = isMariaDb();
    log.debug("servers of {} are {}", database.name(), isMariaDb ? "MariaDB" : "MySQL");
  }

  private @Nullable String known() {
    for (String endpoint : database.endpoints()) {
      if (catalog.knowsKind(endpoint)) {
        return endpoint;
      }
    }
    return null;
  }
}
