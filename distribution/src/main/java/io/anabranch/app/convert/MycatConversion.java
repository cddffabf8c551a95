package io.anabranch.app.convert;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code schema.xml}, {@code rule.xml} and {@code server.xml} of Mycat 1.6, and of dble 2, which
 * has the same. A {@code dataNode} becomes a data source of its name, or a group of one where
 * replicas take reads.
 */
public final class MycatConversion {

  private final Path folder;
  private final List<Leftover> leftovers = new ArrayList<>();
  private final Map<String, MycatNode> nodes = new LinkedHashMap<>();
  private final Map<String, MycatHost> hosts = new LinkedHashMap<>();

  private MycatConversion(Path folder) {
    this.folder = folder;
  }

  /**
   * @param folder with the three files, and those that functions name; the last two may be missing
   * @throws ConversionException if a file cannot be read
   */
  public static Conversion of(Path folder) throws ConversionException {
    return new MycatConversion(folder).run();
  }

  private Conversion run() throws ConversionException {
    XmlElement schema = XmlElement.read(folder.resolve("schema.xml"));
    Map<String, XmlElement> rules = Map.of();
    Map<String, XmlElement> functions = Map.of();
    if (Files.exists(folder.resolve("rule.xml"))) {
      XmlElement rule = XmlElement.read(folder.resolve("rule.xml"));
      rules = byName(rule.children("tableRule"));
      functions = byName(rule.children("function"));
    }
    schema
        .children("dataHost")
        .forEach(
            host -> {
              MycatHost made = MycatHost.of(host, leftovers);
              if (made != null) {
                hosts.put(made.name(), made);
              }
            });
    schema.children("dataNode").forEach(this::addNodes);
    var files = new LinkedHashMap<String, String>();
    for (XmlElement each : schema.children("schema").toList()) {
      String name = each.attribute("name");
      String text = database(each, name, new MycatTables(rules, functions, folder, leftovers));
      if (!text.isEmpty()) {
        files.put("database-" + name.replaceAll("[^A-Za-z0-9_.-]", "_") + ".yaml", text);
      }
    }
    if (Files.exists(folder.resolve("server.xml"))) {
      XmlElement server = XmlElement.read(folder.resolve("server.xml"));
      files.put("global.yaml", new MycatUsers(leftovers).yaml(server));
    } else {
      leftovers.add(
          new Leftover("server.xml", "users", "the file is not there: write global.yaml"));
    }
    return new Conversion(files, leftovers);
  }

  private static Map<String, XmlElement> byName(Stream<XmlElement> elements) {
    var byName = new LinkedHashMap<String, XmlElement>();
    elements.forEach(each -> byName.put(each.attribute("name"), each));
    return byName;
  }

  private void addNodes(XmlElement element) {
    List<String> names = MycatNames.of(element.attribute("name"));
    var places = new ArrayList<String[]>();
    for (String host : MycatNames.of(element.attribute("dataHost"))) {
      for (String schema : MycatNames.of(element.attribute("database"))) {
        places.add(new String[] {host, schema});
      }
    }
    if (names.size() != places.size()) {
      leftovers.add(
          new Leftover(
              element.place(),
              "dataNode " + element.attribute("name"),
              "%d names, %d schemas on hosts".formatted(names.size(), places.size())));
      return;
    }
    for (int i = 0; i < names.size(); i++) {
      String[] place = places.get(i);
      if (hosts.containsKey(place[0])) {
        nodes.put(names.get(i), new MycatNode(names.get(i), place[0], place[1], element.place()));
      } else {
        leftovers.add(
            new Leftover(
                element.place(),
                "dataNode " + names.get(i),
                "dataHost " + place[0] + " is not there"));
      }
    }
  }

  /** Empty if none of its nodes is there. */
  private String database(XmlElement schema, String name, MycatTables tables) {
    if (!schema.attribute("sqlMaxLimit").isEmpty()) {
      leftovers.add(
          new Leftover(
              schema.place(),
              "schema " + name + ", sqlMaxLimit",
              "no LIMIT is added to statements: answers are whole"));
    }
    String standard = MycatNames.of(schema.attribute("dataNode")).stream().findFirst().orElse("");
    List<XmlElement> described = schema.children("table").toList();
    Set<String> used = new LinkedHashSet<>();
    described.forEach(table -> used.addAll(MycatTables.nodes(table)));
    if (!standard.isEmpty()) {
      used.add(standard);
    }
    List<String> missing = used.stream().filter(node -> !nodes.containsKey(node)).toList();
    if (used.isEmpty() || !missing.isEmpty()) {
      leftovers.add(
          new Leftover(
              schema.place(),
              "schema " + name,
              used.isEmpty() ? "it has no dataNode" : "dataNodes are not there: " + missing));
      return "";
    }
    Map<String, String> names = tables.number(described);
    var called = new LinkedHashMap<String, MycatNode>();
    var comment = new StringBuilder();
    for (String node : used) {
      String now = names.getOrDefault(node, node);
      MycatNode known = nodes.get(node);
      if (known != null) {
        called.put(now, known);
      }
      if (!now.equals(node)) {
        comment.append("# ").append(now).append(" was dataNode ").append(node).append('\n');
      }
    }
    described.forEach(table -> tables.add(table, List.copyOf(called.keySet())));
    String rules =
        replicas(called)
            + tables.yaml(described.isEmpty() ? "" : names.getOrDefault(standard, standard));
    return comment
        + "databaseName: "
        + YamlText.of(name)
        + "\ndataSources:\n"
        + sources(called)
        + (rules.isEmpty() ? "rules: []\n" : "rules:\n" + rules);
  }

  private MycatHost host(MycatNode node) {
    return Objects.requireNonNull(hosts.get(node.host()), node.host());
  }

  private String sources(Map<String, MycatNode> called) {
    var text = new StringBuilder();
    called.forEach(
        (name, node) -> {
          MycatHost host = host(node);
          boolean isGroup = !host.readers().isEmpty();
          text.append(source(isGroup ? name + "_w" : name, host.writer(), node, host));
          for (int i = 0; i < host.readers().size(); i++) {
            text.append(source(name + "_r" + i, host.readers().get(i), node, host));
          }
        });
    return text.toString();
  }

  /** Mycat's connections are for all schemas of a server, ours for one. */
  private String source(String name, MycatHost.Server server, MycatNode node, MycatHost host) {
    long sharing =
        nodes.values().stream().filter(other -> other.host().equals(host.name())).count();
    return "  %s: { url: %s, username: %s, password: %s, maxPoolSize: %d }\n"
        .formatted(
            YamlText.of(name),
            YamlText.literal("jdbc:mysql://" + server.address() + "/" + node.schema()),
            YamlText.literal(server.user()),
            YamlText.literal(server.password()),
            Math.max(2, host.maxConnections() / sharing));
  }

  private String replicas(Map<String, MycatNode> called) {
    var text = new StringBuilder();
    called.forEach(
        (name, node) -> {
          MycatHost host = host(node);
          var readers = new ArrayList<String>();
          for (int i = 0; i < host.readers().size(); i++) {
            readers.add(name + "_r" + i);
          }
          String health =
              host.maxLagSeconds() == 0
                  ? ""
                  : ", healthCheck: { maxReplicationLagMilliseconds: %d }"
                      .formatted(host.maxLagSeconds() * 1000);
          if (!readers.isEmpty()) {
            text.append(
                "    %s: { writeDataSourceName: %s, readDataSourceNames: %s%s }\n"
                    .formatted(
                        YamlText.of(name),
                        YamlText.of(name + "_w"),
                        YamlText.list(readers),
                        health));
          }
        });
    return text.isEmpty() ? "" : "- !READWRITE_SPLITTING\n  dataSourceGroups:\n" + text;
  }
}
