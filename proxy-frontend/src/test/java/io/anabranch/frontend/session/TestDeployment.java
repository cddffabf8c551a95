package io.anabranch.frontend.session;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.TopologyListener;
import io.anabranch.backend.transaction.commit.Coordinators;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.frontend.auth.ServerKey;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.planner.StatementPlanner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A deployment whose only data source is down: all that the proxy answers by itself works. */
public final class TestDeployment {

  /** May use {@code shop} only. */
  public static final Authority.User ALICE =
      new Authority.User("alice", "%", "secret", false, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);

  public static final Authority.User ROOT =
      new Authority.User("root", "%", "", true, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);

  private TestDeployment() {}

  public static Deployment create() {
    return create("x");
  }

  /**
   * @param schema what the databases are called on their servers
   */
  public static Deployment create(String schema) {
    return create(schema, true);
  }

  /**
   * @param isMariaDb whether the data source is MariaDB; clients are greeted as by MariaDB
   */
  public static Deployment create(String schema, boolean isMariaDb) {
    var databases = Map.of("shop", database("shop", schema), "hidden", database("hidden", schema));
    var authority = new Authority(List.of(ALICE, ROOT), false, Map.of("alice@%", Set.of("shop")));
    var rules =
        new RuleSet(
            1, databases, authority, ProxyProperties.DEFAULTS, TransactionSettings.DEFAULTS);
    var desk = new DownDesk();
    var catalog = new DownCatalog(isMariaDb);
    var backends = new java.util.LinkedHashMap<String, Backend>();
    databases.forEach(
        (name, database) ->
            backends.put(
                name,
                new Backend(
                    database,
                    desk,
                    Topology.of(database, TopologyListener.NONE, new Random(1)),
                    catalog)));
    return new Deployment(
        rules,
        new AuthenticationRealm(rules, ServerKey.generate()),
        new StatementPlanner(rules, _ -> catalog),
        new PlanWalker(
            1000,
            new io.anabranch.backend.stage.StageLimits(100_000, 1 << 30),
            new io.anabranch.backend.stage.StagedBytes(),
            true,
            rows -> {}),
        new Relay(new KeptStatements(16)),
        backends,
        Coordinators.withoutXa(),
        "10.11.0-MariaDB");
  }

  private static LogicalDatabase database(String name, String schema) {
    String url = "jdbc:mariadb://127.0.0.1:1/" + schema;
    var source = new DataSourceDefinition("ds_0", url, "u", "p", 1, 1, 1, 1, 0, false, Map.of());
    return new LogicalDatabase(
        name,
        Map.of("ds_0", source),
        Map.of(),
        Map.of(),
        Map.of(),
        new LogicalDatabase.SingleTables(List.of(), null));
  }

  private static final class DownDesk implements LeaseDesk {
    @Override
    public void lease(Request request, Callback callback) {
      callback.leased(null, ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "test"));
    }

    @Override
    public Lease leaseBlocking(Request request, Consumer<Place> queued) {
      throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "test");
    }
  }

  private record DownCatalog(boolean ofMariaDb) implements SchemaCatalog {
    @Override
    public boolean isMariaDb(String dataSource) {
      return ofMariaDb;
    }

    @Override
    public Optional<TableSchema> table(String dataSource, String table) {
      return Optional.empty();
    }

    @Override
    public List<String> tableNames(String dataSource) {
      return List.of();
    }

    @Override
    public MadeTable made(String name, ShardQuery create) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public List<ResultColumn> describeOver(java.util.Map<String, String> tables, ShardQuery query) {
      return describe(query);
    }

    @Override
    public List<ResultColumn> describe(ShardQuery query) {
      throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "test");
    }

    @Override
    public CollationWeights weights(String dataSource, int id) {
      return CollationWeights.binary();
    }

    @Override
    public String defaultSchema(String dataSource) {
      return "x";
    }

    @Override
    public void refresh(@Nullable String table) {}
  }
}
