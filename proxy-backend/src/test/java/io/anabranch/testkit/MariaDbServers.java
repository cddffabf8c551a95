package io.anabranch.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The servers that all tests of a JVM share, whichever class asks first, and which end with it:
 * {@code @ExtendWith(MariaDbServers.Resolver.class)} gives one to each parameter of this type.
 *
 * <p>None has a replica: it would first have to apply whatever the classes before wrote. Who needs
 * one starts a primary of its own ({@link MariaDbServer#startReplica}).
 */
public final class MariaDbServers implements DatabaseServers, AutoCloseable {

  private final Map<String, MariaDbServer> running = new HashMap<>();
  private final List<MariaDbServer> inOrder = new ArrayList<>();

  private MariaDbServers() {}

  /** The primary of the first pair. */
  @Override
  public synchronized MariaDbServer primaryA() {
    return running.computeIfAbsent("a", this::start);
  }

  /** The primary of the second pair. */
  @Override
  public synchronized MariaDbServer primaryB() {
    return running.computeIfAbsent("b", this::start);
  }

  private MariaDbServer start(String name) {
    MariaDbServer server = MariaDbServer.start(name);
    inOrder.add(server);
    return server;
  }

  @Override
  public synchronized void close() {
    inOrder.reversed().forEach(MariaDbServer::close);
    inOrder.clear();
    running.clear();
  }

  /**
   * Hands the run's servers to test constructors and methods, and skips tests of a run on MySQL
   * where none is installed.
   */
  public static final class Resolver implements ParameterResolver, ExecutionCondition {

    private static final Namespace NAMESPACE = Namespace.create(MariaDbServers.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext test) {
      return DatabaseServers.areMySql() && !MySqlServer.isInstalled()
          ? ConditionEvaluationResult.disabled(MySqlServer.NONE)
          : ConditionEvaluationResult.enabled("");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
      Class<?> type = parameter.getParameter().getType();
      return type == MariaDbServers.class || type == DatabaseServers.class;
    }

    @Override
    public DatabaseServers resolveParameter(ParameterContext parameter, ExtensionContext test) {
      var store = test.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE);
      boolean any = parameter.getParameter().getType() == DatabaseServers.class;
      return any && DatabaseServers.areMySql()
          ? store.computeIfAbsent(
              MySqlServers.class, type -> new MySqlServers(), MySqlServers.class)
          : store.computeIfAbsent(
              MariaDbServers.class, type -> new MariaDbServers(), MariaDbServers.class);
    }
  }
}
