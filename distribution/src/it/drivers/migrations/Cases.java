import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.snapshot.SnapshotControl;
import liquibase.snapshot.SnapshotGeneratorFactory;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/**
 * Migrates, validates, undoes and reads back a schema with Flyway and Liquibase over both drivers.
 */
public final class Cases {

  private static String host;
  private static String user;
  private static String password;
  private static String database;
  private static String folder;

  public static void main(String[] arguments) throws Exception {
    host = arguments[0] + ":" + arguments[1];
    user = arguments[2];
    password = arguments[3];
    database = arguments[4];
    folder = arguments[5];
    for (String driver : List.of("mariadb", "mysql")) {
      guarded(driver + " flyway", () -> flyway(driver));
      guarded(driver + " metadata", () -> metadata(driver));
      guarded(driver + " clean", () -> told("cleaned", configured(driver).clean().schemasCleaned));
      guarded(driver + " liquibase", () -> liquibase(driver));
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void guarded(String name, Work work) {
    System.out.println("== " + name);
    try {
      work.run();
    } catch (Exception e) {
      for (Throwable t = e; t != null; t = t.getCause()) {
        told(
            "failed",
            t.getClass().getSimpleName()
                + " "
                + String.valueOf(t.getMessage()).replaceAll("conn(=|ection )\\d+", "conn"));
      }
    }
  }

  private static void told(String what, Object value) {
    System.out.println(what + ": " + value);
  }

  private static String url(String driver) {
    String options =
        driver.equals("mariadb") ? "" : "?allowPublicKeyRetrieval=true&sslMode=PREFERRED";
    return "jdbc:" + driver + "://" + host + "/" + database + options;
  }

  private static Flyway configured(String driver) {
    return Flyway.configure()
        .dataSource(url(driver), user, password)
        .locations("filesystem:" + folder + "/sql")
        .cleanDisabled(false)
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load();
  }

  private static void flyway(String driver) throws SQLException {
    Flyway flyway = configured(driver);
    told("migrated", flyway.migrate().migrationsExecuted);
    told("again", flyway.migrate().migrationsExecuted);
    told("valid", flyway.validateWithResult().validationSuccessful);
    for (MigrationInfo info : flyway.info().all()) {
      told(
          "info",
          info.getVersion()
              + " "
              + info.getDescription()
              + " "
              + info.getState()
              + " "
              + info.getChecksum());
    }
    told("repaired", flyway.repair().repairActions);
    try (Connection connection = DriverManager.getConnection(url(driver), user, password)) {
      rows(
          connection
              .createStatement()
              .executeQuery("SELECT name, mouth, length, branches(id) FROM river ORDER BY id"),
          "river");
      rows(connection.createStatement().executeQuery("SELECT name FROM short_river"), "view");
    }
  }

  /** What tools read of a schema. */
  private static void metadata(String driver) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(driver), user, password)) {
      DatabaseMetaData of = connection.getMetaData();
      told("catalog", connection.getCatalog() + " " + connection.getSchema());
      rows(of.getTables(database, null, "%", null), "tables");
      rows(of.getTables(null, null, "river", new String[] {"TABLE"}), "river alone");
      rows(of.getColumns(database, null, "river", "%"), "columns");
      rows(of.getColumns(null, null, "%branch%", null), "columns of any");
      rows(of.getPrimaryKeys(database, null, "river"), "primary key");
      rows(of.getIndexInfo(database, null, "river", false, true), "indexes");
      rows(of.getImportedKeys(database, null, "branch"), "imported");
      rows(of.getExportedKeys(database, null, "river"), "exported");
      rows(of.getCrossReference(database, null, "river", database, null, "branch"), "cross");
      rows(of.getProcedures(database, null, "%"), "procedures");
      rows(of.getProcedureColumns(database, null, "add_branch", "%"), "parameters");
      rows(of.getFunctions(database, null, "%"), "functions");
      rows(of.getFunctionColumns(database, null, "branches", "%"), "function parameters");
      rows(of.getBestRowIdentifier(database, null, "river", 0, true), "row identifier");
      rows(of.getVersionColumns(database, null, "branch"), "version columns");
      rows(of.getTablePrivileges(database, null, "river"), "privileges");
      var catalogs = new ArrayList<String>();
      try (ResultSet all = of.getCatalogs()) {
        while (all.next()) {
          catalogs.add(all.getString(1));
        }
      }
      told("the catalog is listed", catalogs.contains(database));
    }
  }

  private static void rows(ResultSet result, String name) throws SQLException {
    var columns = new TreeMap<String, Integer>();
    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
      columns.put(result.getMetaData().getColumnLabel(i), i);
    }
    int count = 0;
    while (result.next()) {
      var row = new StringBuilder();
      for (var column : columns.entrySet()) {
        // An estimate.
        if (!column.getKey().equals("CARDINALITY")) {
          row.append(' ')
              .append(column.getKey())
              .append('=')
              .append(result.getString(column.getValue()));
        }
      }
      System.out.println(name + " " + count++ + ":" + row.toString().replace('\n', ' '));
    }
    told(name, count + " rows");
  }

  private static void liquibase(String driver) throws Exception {
    try (Connection connection = DriverManager.getConnection(url(driver), user, password)) {
      var of =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      told("product", of.getShortName() + " " + of.getDefaultCatalogName());
      try (Liquibase liquibase =
          new Liquibase(
              "changes.xml", new DirectoryResourceAccessor(java.nio.file.Path.of(folder)), of)) {
        told("unrun", liquibase.listUnrunChangeSets(null, null).size());
        liquibase.update("");
        told("unrun", liquibase.listUnrunChangeSets(null, null).size());
        told("locks", liquibase.listLocks().length);
        liquibase.tag("suite");
        rows(
            connection
                .createStatement()
                .executeQuery(
                    "SELECT ID, EXECTYPE, MD5SUM FROM DATABASECHANGELOG ORDER BY ORDEREXECUTED"),
            "log");
        rows(
            connection
                .createStatement()
                .executeQuery("SELECT id, name, area, `full`, depth FROM lake"),
            "lake");
        var snapshot =
            SnapshotGeneratorFactory.getInstance()
                .createSnapshot(of.getDefaultSchema(), of, new SnapshotControl(of));
        var seen = new ArrayList<String>();
        for (var type :
            List.of(
                liquibase.structure.core.Table.class,
                liquibase.structure.core.View.class,
                liquibase.structure.core.Column.class,
                liquibase.structure.core.Index.class,
                liquibase.structure.core.ForeignKey.class,
                liquibase.structure.core.UniqueConstraint.class,
                liquibase.structure.core.PrimaryKey.class)) {
          for (var object : snapshot.get(type)) {
            seen.add(type.getSimpleName() + " " + object);
          }
        }
        seen.stream().sorted().forEach(line -> told("snapshot", line));
        liquibase.rollback(1, "");
        told("unrun behind a rollback", liquibase.listUnrunChangeSets(null, null).size());
        liquibase.update("");
        liquibase.dropAll();
        rows(connection.createStatement().executeQuery("SHOW FULL TABLES"), "left");
      }
    }
  }
}
