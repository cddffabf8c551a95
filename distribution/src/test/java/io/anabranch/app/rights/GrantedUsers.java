package io.anabranch.app.rights;

import io.anabranch.testkit.DatabaseServer;
import java.util.List;
import java.util.Map;

/** The same users on a server and in a proxy's configuration, with the same grants. */
final class GrantedUsers {

  private GrantedUsers() {}

  /**
   * Makes them on the server.
   *
   * @param users by name, with their grants, in which {@code %s} stands for a database
   * @param schemas databases of the grants on the server
   * @param databases those of the grants in the proxy
   * @return the proxy's {@code global.yaml}, with an administrator besides
   */
  static String make(
      DatabaseServer server,
      Map<String, List<String>> users,
      String password,
      List<String> schemas,
      List<String> databases) {
    var yaml = new StringBuilder();
    users.forEach(
        (name, grants) -> {
          server.execute(
              "DROP USER IF EXISTS " + name + "@'%'",
              "CREATE USER " + name + "@'%' IDENTIFIED BY '" + password + "'");
          yaml.append("    - user: \"").append(name).append("@%\"\n      password: ");
          yaml.append(password).append("\n      grants:\n");
          for (String grant : grants) {
            for (String schema : schemas) {
              server.execute("GRANT " + grant.formatted(schema) + " TO " + name + "@'%'");
            }
            for (String database : databases) {
              yaml.append("        - ").append(grant.formatted(database)).append('\n');
            }
          }
        });
    return """
        authority:
          users:
            - { user: "app@%%", password: app-secret, admin: true }
        %s
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
        .formatted(yaml);
  }

  /** Drops them from the server. */
  static void drop(DatabaseServer server, Map<String, List<String>> users) {
    users.keySet().forEach(name -> server.execute("DROP USER " + name + "@'%'"));
  }
}
