package io.anabranch.frontend.session;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.session.program.StoredPrograms;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.model.LogicalDatabase;

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
}
