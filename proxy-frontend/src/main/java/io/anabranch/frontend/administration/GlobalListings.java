package io.anabranch.frontend.administration;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.frontend.administration.definition.QueryRuleDefinition;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.rules.config.AlgorithmKind;
import io.anabranch.rules.config.document.DocumentExport;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.plan.ResultColumn;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** What holds for all databases. */
final class GlobalListings {

  static final List<ResultColumn> VARIABLES = Columns.of("variable_name", "variable_value");
  static final List<ResultColumn> AUTHORITY = Columns.of("users", "provider", "props");
  static final List<ResultColumn> TRANSACTION =
      Columns.of("default_type", "provider_type", "props");

  /** Whole files. */
  static final List<ResultColumn> EXPORT = List.of(LocalColumns.longText("result", 1 << 20));

  /** A statement may have all data sources or tables. */
  static final List<ResultColumn> CONVERSION = List.of(LocalColumns.longText("dist_sql", 1 << 20));

  static final List<ResultColumn> PLUGINS = Columns.of("type", "type_aliases", "description");

  static final List<ResultColumn> FILES = Columns.of("file");
  static final List<ResultColumn> CHANGES = Columns.of("change");

  static final List<ResultColumn> VERSIONS =
      List.of(
          LocalColumns.number("version"),
          LocalColumns.text("since", 32),
          LocalColumns.text("author", 128),
          LocalColumns.text("changes", 1024));

  static final List<ResultColumn> QUERY_RULES = Columns.of("position", "name", "definition");

  static final List<ResultColumn> NODES =
      Columns.of(
          "instance_id",
          "instance_type",
          "host",
          "port",
          "status",
          "mode_type",
          "worker_id",
          "labels",
          "version",
          "database_name");

  private GlobalListings() {}

  // ---------------------------------------------------------------- props

  /** All, or those that are like a pattern. */
  static List<List<String>> variables(Request request) {
    String pattern = request.match().get("pattern");
    var rows = new ArrayList<List<String>>();
    request
        .control()
        .current()
        .settings()
        .forEach(
            (key, value) -> {
              String name = variable(key);
              if (pattern == null || LikePattern.matches(name, pattern)) {
                rows.add(List.of(name, value));
              }
            });
    return rows;
  }

  /** The one that is asked for, by its name as a variable or in the file. */
  static List<List<String>> variable(Request request) {
    Map<String, String> settings = request.control().current().settings();
    String key = property(request.given("name"));
    String value = settings.get(key);
    if (value == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the variable '" + request.given("name") + "'", "see SHOW DIST VARIABLES");
    }
    return List.of(List.of(variable(key), value));
  }

  /** {@code sql-show} as {@code sql_show}. */
  static String variable(String property) {
    return property.replace('-', '_');
  }

  /** {@code sql_show} as {@code sql-show}. */
  static String property(String variable) {
    return variable.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  // ---------------------------------------------------------------- the rules of all databases

  /** As the file has them. */
  static List<List<String>> queryRules(Request request) {
    var rows = new ArrayList<List<String>>();
    for (Mapping rule : QueryRuleDefinition.all(request.documents().global())) {
      rows.add(
          List.of(
              Integer.toString(rows.size() + 1),
              rule.shown("name"),
              DocumentExport.inOneLine(rule)));
    }
    return rows;
  }

  /** Types of one kind of algorithms. */
  static List<List<String>> plugins(Request request, AlgorithmKind kind) {
    return request.control().types(kind).stream().map(type -> List.of(type, "", "")).toList();
  }

  static List<List<String>> authority(Request request) {
    Authority authority = request.session().deployment().rules().authority();
    var users = new StringJoiner("; ");
    authority.users().forEach(user -> users.add(user.toString()));
    var grants = new StringJoiner(", ");
    if (!authority.allPermitted()) {
      new TreeMap<>(authority.databaseGrants())
          .forEach(
              (user, databases) ->
                  databases.stream().sorted().forEach(each -> grants.add(user + "=" + each)));
    }
    return List.of(
        List.of(
            users.toString(),
            authority.allPermitted() ? "ALL_PERMITTED" : "DATABASE_PERMITTED",
            grants.length() == 0 ? "" : "user-database-mappings=" + grants));
  }

  static List<List<String>> transaction(Request request) {
    TransactionSettings settings = request.session().deployment().rules().transactions();
    var props = new StringJoiner(", ");
    props.add("idle-limit-milliseconds=" + settings.idleLimit());
    props.add("duration-limit-milliseconds=" + settings.longLimit());
    if (settings.offersXa()) {
      props.add("cluster=" + settings.xa().cluster());
      props.add("log-data-source=" + settings.xa().logDataSource());
    }
    return List.of(
        List.of(
            settings.defaultType().name(),
            settings.offersXa() ? "Anabranch" : "",
            props.toString()));
  }

  /** All proxies of the cluster; of a proxy by itself, this one. */
  static List<List<String>> computeNodes(Request request) {
    List<ClusterMember> members = request.control().members();
    String version = request.session().deployment().serverVersion();
    if (!members.isEmpty()) {
      return members.stream()
          .map(
              each ->
                  node(
                      each.id(),
                      each.host(),
                      Integer.toString(each.port()),
                      each.state().name(),
                      "Cluster",
                      version))
          .toList();
    }
    RuleSet rules = request.session().deployment().rules();
    String host = "";
    String port = Integer.toString(rules.properties().defaultPort());
    if (request.session().channel().localAddress() instanceof InetSocketAddress address) {
      host = address.getAddress().getHostAddress();
      port = Integer.toString(address.getPort());
    }
    return List.of(node(rules.transactions().xa().node(), host, port, "OK", "Standalone", version));
  }

  private static List<String> node(
      String id, String host, String port, String status, String mode, String version) {
    return List.of(id, "PROXY", host, port, status, mode, "-1", "", version, "");
  }

  // ---------------------------------------------------------------- the configuration as a whole

  static List<List<String>> history(Request request) {
    return request.control().history().stream().map(GlobalListings::row).toList();
  }

  private static List<String> row(ConfigurationControl.Version version) {
    return List.of(
        Long.toString(version.number()),
        version.since().toString(),
        version.author(),
        String.join("\n", version.changes()));
  }

  /** A row for each line. */
  static List<List<String>> lines(List<String> lines) {
    return lines.stream().map(List::of).toList();
  }
}
