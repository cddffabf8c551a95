package io.anabranch.app.configuration;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.rules.config.AlgorithmKind;
import io.anabranch.testkit.DatabaseServer;
import java.util.LinkedHashMap;
import java.util.Map;

/** A database with rules of every kind, and an example of each statement of administration. */
final class AdministrationFiles {

  private AdministrationFiles() {}

  /** Over the schemas {@code it_admin_0} and {@code it_admin_1}. */
  static String shop(DatabaseServer server) {
    return """
        # the shop; this comment stays
        databaseName: shop
        dataSources:
        """
        + ReloadFolder.source("ds_0", server, "it_admin_0", 9)
        + ReloadFolder.source("ds_1", server, "it_admin_1", 9)
            .replace(" }\n", ", customPoolProps: { keepaliveTime: 120000 } }\n")
        + ReloadFolder.source("writer", server, "it_admin_1", 2)
        + ReloadFolder.source("reader", server, "it_admin_1", 2)
        + ReloadFolder.source("spare_0", server, "it_admin_1", 2)
        + ReloadFolder.source("spare_1", server, "it_admin_1", 2)
        + """
        rules:
        - !SHARDING
          tables:
            # orders go with their items
            t_order:
              actualDataNodes: ds_${0..1}.t_order
              keyGenerateStrategy: { column: id, keyGeneratorName: keys }
            t_item:
              actualDataNodes: ds_${0..1}.t_item # beside them
          autoTables:
            t_log:
              actualDataSources: ds_0,ds_1
              shardingStrategy:
                standard: { shardingColumn: id, shardingAlgorithmName: four }
          bindingTables: [ "t_order,t_item" ]
          defaultDatabaseStrategy:
            standard: { shardingColumn: user_id, shardingAlgorithmName: two }
          defaultTableStrategy:
            none:
          shardingAlgorithms:
            two: { type: MOD, props: { sharding-count: 2 } }
            four: { type: HASH_MOD, props: { sharding-count: 4 } }
            idle: { type: INLINE, props: { algorithm-expression: "ds_${user_id % 2}" } }
          keyGenerators:
            keys: { type: SNOWFLAKE, props: { worker-id: 3 } }
          defaultAuditStrategy: { auditorNames: [ conditions ], allowHintDisable: true }
          auditors:
            conditions: { type: DML_SHARDING_CONDITIONS }
        - !BROADCAST
          tables: [ t_dict ]
        - !SINGLE
          tables: [ ds_0.* ]
          defaultDataSource: ds_0
        - !READWRITE_SPLITTING
          dataSourceGroups:
            rw_0: { writeDataSourceName: writer, readDataSourceNames: [ reader ], loadBalancerName: near }
          loadBalancers:
            near: { type: WEIGHT, props: { reader: 2 } }
        """;
  }

  /**
   * By the form, in no order.
   *
   * @param url of another data source
   */
  static Map<String, String> examples(String url, String user, String password) {
    var examples = new LinkedHashMap<String, String>();
    String from = " [FROM database]";
    examples.put("RELOAD CONFIGURATION", "RELOAD CONFIGURATION");
    examples.put("SHOW CONFIGURATION DIFF", "SHOW CONFIGURATION DIFF");
    examples.put("SHOW CONFIGURATION HISTORY", "SHOW CONFIGURATION HISTORY");
    examples.put(
        "SHOW STORAGE UNITS [WHERE USAGE_COUNT = n]" + from,
        "SHOW STORAGE UNITS WHERE USAGE_COUNT = 0 FROM shop");
    examples.put(
        "SHOW RULES USED STORAGE UNIT unit" + from, "SHOW RULES USED STORAGE UNIT ds_0 FROM shop");
    for (String plain :
        new String[] {
          "SHOW SHARDING TABLE RULES",
          "SHOW SHARDING ALGORITHMS",
          "SHOW UNUSED SHARDING ALGORITHMS",
          "SHOW SHARDING KEY GENERATORS",
          "SHOW UNUSED SHARDING KEY GENERATORS",
          "SHOW SHARDING AUDITORS",
          "SHOW UNUSED SHARDING AUDITORS",
          "SHOW DEFAULT SHARDING STRATEGY",
          "SHOW SHARDING TABLE REFERENCE RULES",
          "COUNT SHARDING RULE",
          "SHOW BROADCAST TABLE RULES",
          "COUNT BROADCAST RULE",
          "SHOW DEFAULT SINGLE TABLE STORAGE UNIT",
          "COUNT SINGLE TABLE",
          "SHOW READWRITE_SPLITTING RULES",
          "COUNT READWRITE_SPLITTING RULE",
          "SHOW ENCRYPT RULES",
          "COUNT ENCRYPT RULE",
          "SHOW MASK RULES",
          "COUNT MASK RULE",
          "SHOW SHADOW RULES",
          "SHOW SHADOW TABLE RULES",
          "SHOW SHADOW ALGORITHMS",
          "SHOW DEFAULT SHADOW ALGORITHM",
          "COUNT SHADOW RULE",
          "SHOW STATUS FROM READWRITE_SPLITTING RULES",
          "SHOW READWRITE_SPLITTING EVENTS"
        }) {
      examples.put(plain + from, plain + " FROM shop");
    }
    examples.put("SHOW SHARDING TABLE RULE table" + from, "SHOW SHARDING TABLE RULE t_order");
    examples.put("SHOW SHARDING TABLE NODES [table]" + from, "SHOW SHARDING TABLE NODES t_order");
    examples.put(
        "SHOW SHARDING TABLE RULES USED ALGORITHM name" + from,
        "SHOW SHARDING TABLE RULES USED ALGORITHM two");
    examples.put(
        "SHOW SHARDING TABLE RULES USED KEY GENERATOR name" + from,
        "SHOW SHARDING TABLE RULES USED KEY GENERATOR keys");
    examples.put(
        "SHOW SHARDING TABLE RULES USED AUDITOR name" + from,
        "SHOW SHARDING TABLE RULES USED AUDITOR conditions");
    examples.put(
        "SHOW SHARDING TABLE REFERENCE RULE name" + from,
        "SHOW SHARDING TABLE REFERENCE RULE t_order_t_item");
    examples.put("SHOW SINGLE TABLES [LIKE pattern]" + from, "SHOW SINGLE TABLES LIKE 't%'");
    examples.put("SHOW SINGLE TABLE table" + from, "SHOW SINGLE TABLE t_conf");
    examples.put("SHOW ENCRYPT RULE table" + from, "SHOW ENCRYPT RULE t_person");
    examples.put("SHOW MASK RULE table" + from, "SHOW MASK RULE t_person");
    examples.put("SHOW SHADOW RULE name" + from, "SHOW SHADOW RULE tests");
    examples.put(
        "SHOW READWRITE_SPLITTING RULE group" + from, "SHOW READWRITE_SPLITTING RULE rw_0");
    examples.put(
        "ALTER READWRITE_SPLITTING RULE group ENABLE member" + from,
        "ALTER READWRITE_SPLITTING RULE rw_0 ENABLE reader");
    examples.put(
        "ALTER READWRITE_SPLITTING RULE group DISABLE member" + from,
        "ALTER READWRITE_SPLITTING RULE rw_0 DISABLE reader");
    examples.put("SHOW DIST VARIABLES [LIKE pattern]", "SHOW DIST VARIABLES LIKE 'sql%'");
    examples.put(
        "SHOW DIST VARIABLE WHERE NAME = name", "SHOW DIST VARIABLE WHERE NAME = sql_show");
    for (AlgorithmKind kind : AlgorithmKind.values()) {
      String plugins = "SHOW " + kind.name().replace('_', ' ') + " ALGORITHM PLUGINS";
      examples.put(plugins, plugins);
    }
    examples.put("SHOW AUTHORITY RULE", "SHOW AUTHORITY RULE");
    examples.put("SHOW TRANSACTION RULE", "SHOW TRANSACTION RULE");
    examples.put("SHOW COMPUTE NODES", "SHOW COMPUTE NODES");
    examples.put("REFRESH DATABASE METADATA [database]", "REFRESH DATABASE METADATA");
    examples.put(
        "REFRESH TABLE METADATA [table] [FROM STORAGE UNIT unit]",
        "REFRESH TABLE METADATA t_order FROM STORAGE UNIT ds_0");
    examples.put("PREVIEW …", "PREVIEW SELECT * FROM t_conf");
    examples.put("EXPLAIN ROUTE …", "EXPLAIN ROUTE SELECT * FROM t_conf");
    examples.put("SHOW ADMINISTRATION STATEMENTS", "SHOW ADMINISTRATION STATEMENTS");
    examples.put("ROLLBACK CONFIGURATION", "ROLLBACK CONFIGURATION");
    examples.put("SAVE CONFIGURATION", "SAVE CONFIGURATION");
    examples.put(
        "IMPORT DATABASE CONFIGURATION FROM FILE [=] path",
        "IMPORT DATABASE CONFIGURATION FROM FILE = 'given/spare.yaml'");
    examples.put(
        "CONVERT YAML CONFIGURATION FROM FILE [=] path",
        "CONVERT YAML CONFIGURATION FROM FILE 'given/spare.yaml'");
    examples.put("EXPORT DATABASE CONFIGURATION" + from, "EXPORT DATABASE CONFIGURATION FROM shop");
    addChanges(
        examples, " (URL = '%s', USER = '%s', PASSWORD = '%s')".formatted(url, user, password));
    return examples;
  }

  private static void addChanges(Map<String, String> examples, String place) {
    String unless = " [IF NOT EXISTS] …";
    String ifThere = " [IF EXISTS] …";
    String none = " (TYPE = 'none')";
    for (String word : new String[] {"DATABASE", "SCHEMA"}) {
      examples.put("CREATE " + word + " [IF NOT EXISTS] name …", "CREATE " + word + " made");
      examples.put("DROP " + word + " [IF EXISTS] name", "DROP " + word + " made");
    }
    examples.put("REGISTER STORAGE UNIT" + unless, "REGISTER STORAGE UNIT extra" + place);
    examples.put("ALTER STORAGE UNIT …", "ALTER STORAGE UNIT extra" + place);
    examples.put("UNREGISTER STORAGE UNIT" + ifThere, "UNREGISTER STORAGE UNIT extra");
    String table =
        " SHARDING TABLE RULE t_new (STORAGE_UNITS(ds_0, ds_1), SHARDING_COLUMN = id,"
            + " TYPE(NAME = 'mod', PROPERTIES('sharding-count' = 2)))";
    examples.put("CREATE SHARDING TABLE RULE" + unless, "CREATE" + table);
    examples.put("ALTER SHARDING TABLE RULE …", "ALTER" + table);
    examples.put("DROP SHARDING TABLE RULE" + ifThere, "DROP SHARDING TABLE RULE t_new");
    for (String level : new String[] {"DATABASE", "TABLE"}) {
      String subject = " DEFAULT SHARDING " + level + " STRATEGY";
      examples.put("CREATE" + subject + unless, "CREATE" + subject + " IF NOT EXISTS" + none);
      examples.put("DROP" + subject + " [IF EXISTS]", "DROP" + subject);
    }
    examples.put(
        "ALTER DEFAULT SHARDING DATABASE STRATEGY …",
        "ALTER DEFAULT SHARDING DATABASE STRATEGY (TYPE = 'standard', SHARDING_COLUMN = user_id,"
            + " SHARDING_ALGORITHM(TYPE(NAME = 'mod', PROPERTIES('sharding-count' = 2))))");
    examples.put(
        "ALTER DEFAULT SHARDING TABLE STRATEGY …", "ALTER DEFAULT SHARDING TABLE STRATEGY" + none);
    for (String subject : new String[] {"ALGORITHM", "KEY GENERATOR", "AUDITOR"}) {
      String words = " SHARDING " + subject;
      String type =
          switch (subject) {
            case "ALGORITHM" -> "'mod', PROPERTIES('sharding-count' = 2)";
            case "AUDITOR" -> "'DML_SHARDING_CONDITIONS'";
            default -> "'uuid'";
          };
      String definition = words + " x_new (TYPE(NAME = " + type + "))";
      examples.put("CREATE" + words + unless, "CREATE" + definition);
      examples.put("ALTER" + words + " …", "ALTER" + definition);
    }
    examples.put("DROP SHARDING ALGORITHM" + ifThere, "DROP SHARDING ALGORITHM idle");
    examples.put(
        "DROP SHARDING KEY GENERATOR" + ifThere, "DROP SHARDING KEY GENERATOR IF EXISTS x");
    examples.put("DROP SHARDING AUDITOR" + ifThere, "DROP SHARDING AUDITOR IF EXISTS x");
    examples.put(
        "CREATE SHARDING TABLE REFERENCE RULE" + unless,
        "CREATE SHARDING TABLE REFERENCE RULE IF NOT EXISTS t_order_t_item (t_order, t_item)");
    examples.put(
        "ALTER SHARDING TABLE REFERENCE RULE …",
        "ALTER SHARDING TABLE REFERENCE RULE t_order_t_item (t_item, t_order)");
    examples.put(
        "DROP SHARDING TABLE REFERENCE RULE" + ifThere,
        "DROP SHARDING TABLE REFERENCE RULE t_order_t_item");
    examples.put("CREATE BROADCAST TABLE RULE" + unless, "CREATE BROADCAST TABLE RULE t_wide");
    examples.put("DROP BROADCAST TABLE RULE" + ifThere, "DROP BROADCAST TABLE RULE t_wide");
    examples.put("LOAD SINGLE TABLE …", "LOAD SINGLE TABLE ds_1.t_other");
    examples.put("UNLOAD SINGLE TABLE …", "UNLOAD SINGLE TABLE t_other");
    examples.put("UNLOAD ALL SINGLE TABLES", "UNLOAD ALL SINGLE TABLES");
    examples.put(
        "SET DEFAULT SINGLE TABLE STORAGE UNIT = unit",
        "SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_1");
    String group =
        " READWRITE_SPLITTING RULE rw_1 (WRITE_STORAGE_UNIT = spare_0, READ_STORAGE_UNITS(spare_1))";
    examples.put("CREATE READWRITE_SPLITTING RULE" + unless, "CREATE" + group);
    examples.put(
        "ALTER READWRITE_SPLITTING RULE …",
        "ALTER READWRITE_SPLITTING RULE rw_0 (WRITE_STORAGE_UNIT = writer, READ_STORAGE_UNITS(reader))");
    examples.put(
        "DROP READWRITE_SPLITTING RULE" + ifThere, "DROP READWRITE_SPLITTING RULE IF EXISTS rw_1");
    addFeatures(examples);
    examples.put("CREATE USER" + unless, "CREATE USER clerk@'10.%' IDENTIFIED BY 'p'");
    examples.put("ALTER USER" + ifThere, "ALTER USER clerk@'10.%' IDENTIFIED BY 'q'");
    examples.put("DROP USER" + ifThere, "DROP USER plain");
    examples.put("SET PASSWORD …", "SET PASSWORD = 'q'");
    examples.put("GRANT …", "GRANT SELECT, INSERT ON shop.* TO clerk@'10.%'");
    examples.put("REVOKE …", "REVOKE INSERT ON shop.* FROM clerk@'10.%'");
    examples.put("SET DIST VARIABLE name = value", "SET DIST VARIABLE sql_show = false");
    examples.put("SHOW QUERY RULES", "SHOW QUERY RULES");
    examples.put(
        "CREATE QUERY RULE" + unless,
        "CREATE QUERY RULE no_drops (MATCH(KINDS(DROP), USERS(plain)), DENY = 'ask us')");
    examples.put(
        "ALTER QUERY RULE …",
        "ALTER QUERY RULE no_drops (MATCH(KINDS(DROP, TRUNCATE)), DENY = 'ask us', LOG_ONLY = true)");
    examples.put("DROP QUERY RULE" + ifThere, "DROP QUERY RULE IF EXISTS no_drops");
  }

  private static void addFeatures(Map<String, String> examples) {
    String unless = " [IF NOT EXISTS] …";
    String ifThere = " [IF EXISTS] …";
    String encrypt =
        " ENCRYPT RULE t_person (COLUMNS((NAME = phone, CIPHER = phone_cipher,"
            + " ENCRYPT_ALGORITHM(TYPE(NAME = 'aes', PROPERTIES('aes-key-value' = 'hidden-key'))))))";
    examples.put("CREATE ENCRYPT RULE" + unless, "CREATE" + encrypt);
    examples.put("ALTER ENCRYPT RULE …", "ALTER" + encrypt);
    examples.put("DROP ENCRYPT RULE" + ifThere, "DROP ENCRYPT RULE t_person");
    String mask =
        " MASK RULE t_person (COLUMNS((NAME = name, TYPE(NAME = 'keep_first_n_last_m',"
            + " PROPERTIES('first-n' = 1, 'last-m' = 1, 'replace-char' = '*')))))";
    examples.put("CREATE MASK RULE" + unless, "CREATE" + mask);
    examples.put("ALTER MASK RULE …", "ALTER" + mask);
    examples.put("DROP MASK RULE" + ifThere, "DROP MASK RULE t_person");
    String shadow =
        " SHADOW RULE tests (SOURCE = ds_0, SHADOW = spare_0, t_conf(TYPE(NAME = 'sql_hint')))";
    examples.put("CREATE SHADOW RULE" + unless, "CREATE" + shadow);
    examples.put("ALTER SHADOW RULE …", "ALTER" + shadow);
    examples.put("DROP SHADOW RULE" + ifThere, "DROP SHADOW RULE tests");
    String standard = " DEFAULT SHADOW ALGORITHM";
    examples.put("CREATE" + standard + unless, "CREATE" + standard + " TYPE(NAME = 'sql_hint')");
    examples.put(
        "ALTER" + standard + " …",
        "ALTER" + standard + " TYPE(NAME = 'user_match', PROPERTIES('users' = 'plain'))");
    examples.put("DROP" + standard + " [IF EXISTS]", "DROP" + standard);
    examples.put("DROP SHADOW ALGORITHM" + ifThere, "DROP SHADOW ALGORITHM IF EXISTS x");
  }
}
