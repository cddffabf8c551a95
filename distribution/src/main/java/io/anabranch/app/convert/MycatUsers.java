package io.anabranch.app.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Users and ports of {@code server.xml} as {@code global.yaml}. */
final class MycatUsers {

  private static final String[] DML = {"INSERT", "UPDATE", "SELECT", "DELETE"};

  /** What the proxy does by itself, or has no need of. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "nonePasswordLogin",
          "ignoreUnknownCommand",
          "useHandshakeV10",
          "removeGraveAccent",
          "useSqlStat",
          "useGlobleTableCheck",
          "sqlExecuteTimeout",
          "sequnceHandlerType",
          "sequenceHandlerType",
          "sequnceHandlerPattern",
          "subqueryRelationshipCheck",
          "sequenceHanlderClass",
          "useCompression",
          "fakeMySQLVersion",
          "processorBufferChunk",
          "processors",
          "processorExecutor",
          "processorBufferPoolType",
          "processorBufferPool",
          "maxStringLiteralLength",
          "backSocketNoDelay",
          "frontSocketNoDelay",
          "frontWriteQueueSize",
          "dataNodeIdleCheckPeriod",
          "dataNodeHeartbeatPeriod",
          "useOffHeapForMerge",
          "memoryPageSize",
          "spillsFileBufferSize",
          "useStreamOutput",
          "systemReserveMemorySize",
          "useZKSwitch",
          "strictTxIsolation",
          "parallExecute",
          "charset");

  private final List<Leftover> leftovers;

  MycatUsers(List<Leftover> leftovers) {
    this.leftovers = leftovers;
  }

  String yaml(XmlElement server) {
    var text = new StringBuilder("authority:\n  users:\n");
    server.children("user").forEach(user -> text.append(user(user)));
    text.append("props:\n");
    server
        .children("system")
        .flatMap(system -> system.children("property"))
        .forEach(property -> text.append(property(property)));
    server
        .children()
        .forEach(
            child -> {
              if (!Set.of("system", "user").contains(child.name())) {
                leftover(
                    child,
                    child.name(),
                    "see docs/limits.md and authority.users for what there is");
              }
            });
    return text.toString().replaceFirst("props:\n$", "");
  }

  private String user(XmlElement user) {
    String name = user.attribute("name");
    String what = "user " + name;
    String password = user.property("password");
    if (user.property("usingDecrypt").equals("1")) {
      leftover(
          user, what + ", password", "it is encrypted with Mycat's own key: set it in global.yaml");
    }
    if (!user.property("benchmark").isEmpty() && !user.property("benchmark").equals("0")) {
      leftover(
          user,
          what + ", benchmark",
          "statements are not counted down; maxConnections and docs/limits.md limit users");
    }
    var grants = new ArrayList<String>();
    List<XmlElement> rights =
        user.children("privileges")
            .filter(each -> each.attribute("check").equals("true"))
            .flatMap(each -> each.children("schema"))
            .toList();
    List<String> schemas = MycatNames.of(user.property("schemas"));
    for (String schema : schemas) {
      grants.add(granted(user, what, schema, rights) + " ON " + schema + ".*");
    }
    if (schemas.isEmpty()) {
      // all of them; without grants it would have the rights of an owner besides
      grants.add(isReadOnly(user) ? "READ ON *.*" : "ALL ON *.*");
      rights.forEach(
          right ->
              leftover(
                  right,
                  what + ", rights on " + right.attribute("name"),
                  "the user has no schemas, and what all of them grant cannot be taken from one."
                      + " Grant schemas instead"));
    }
    return "    - user: "
        + YamlText.literal(name + "@%")
        + "\n      password: "
        + YamlText.literal(password)
        + "\n      grants: "
        + YamlText.list(grants)
        + "\n";
  }

  private String granted(XmlElement user, String what, String schema, List<XmlElement> rights) {
    if (isReadOnly(user)) {
      return "READ";
    }
    for (XmlElement right : rights) {
      if (right.attribute("name").equalsIgnoreCase(schema)) {
        right
            .children("table")
            .forEach(
                table ->
                    leftover(
                        table,
                        what + ", rights on " + schema + "." + table.attribute("name"),
                        "grants add up: what the schema grants cannot be taken from a table. Grant tables instead of the schema"));
        var privileges = new ArrayList<String>();
        String bits = right.attribute("dml");
        for (int i = 0; i < DML.length; i++) {
          if (i < bits.length() && bits.charAt(i) == '1') {
            privileges.add(DML[i]);
          }
        }
        privileges.add("DDL");
        return String.join(", ", privileges);
      }
    }
    return "ALL";
  }

  private static boolean isReadOnly(XmlElement user) {
    return user.property("readOnly").equalsIgnoreCase("true");
  }

  private String property(XmlElement property) {
    String name = property.attribute("name");
    String value = property.content();
    return switch (name) {
      case "serverPort" -> "  proxy-default-port: " + value + "\n";
      case "idleTimeout" -> seconds("proxy-frontend-connection-idle-timeout", value);
      case "maxPacketSize" -> "  proxy-frontend-max-allowed-packet: " + value + "\n";
      default -> {
        if (!WITHOUT_EFFECT.contains(name)) {
          leftover(
              property,
              "property " + name,
              "nothing here is set like it; docs/configuration.md has all props");
        }
        yield "";
      }
    };
  }

  private static String seconds(String key, String milliseconds) {
    return milliseconds.matches("\\d{4,12}")
        ? "  " + key + ": " + Long.parseLong(milliseconds) / 1000 + "\n"
        : "";
  }

  private void leftover(XmlElement at, String what, String why) {
    leftovers.add(new Leftover(at.place(), what, why));
  }
}
