package io.anabranch.rules.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.plan.BoundPlan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What drivers and other programs ask the catalogue about the tables of one database, {@code
 * backend}: the servers of others are not asked, so that it is answered while those are away.
 */
class DriverQueriesTest {

  private final CatalogueWork work = new CatalogueWork();

  @ParameterizedTest
  @ValueSource(
      strings = {
        // MySQL Connector/J: getTables, getColumns, getPrimaryKeys, getIndexInfo
        """
        SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, CASE WHEN TABLE_TYPE='BASE
        TABLE' THEN CASE WHEN TABLE_SCHEMA = 'mysql' OR TABLE_SCHEMA = 'performance_schema' OR
        TABLE_SCHEMA = 'sys' THEN 'SYSTEM TABLE' ELSE 'TABLE' END WHEN TABLE_TYPE='TEMPORARY' THEN
        'LOCAL_TEMPORARY' ELSE TABLE_TYPE END AS TABLE_TYPE, TABLE_COMMENT AS REMARKS FROM
        INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'backend' AND TABLE_NAME LIKE 'par' HAVING
        TABLE_TYPE IN ('TABLE','VIEW',null,null,null) ORDER BY TABLE_TYPE, TABLE_SCHEMA, TABLE_NAME\
        """,
        """
        SELECT TABLE_SCHEMA AS TABLE_CAT, TABLE_NAME, COLUMN_NAME, CASE WHEN UPPER(DATA_TYPE)='JSON'
        THEN 'JSON' WHEN LOCATE('UNSIGNED', UPPER(COLUMN_TYPE)) != 0 AND LOCATE('UNSIGNED',
        UPPER(DATA_TYPE)) = 0 THEN CONCAT(DATA_TYPE, ' UNSIGNED') ELSE UPPER(DATA_TYPE) END AS
        TYPE_NAME FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'backend' AND TABLE_NAME =
        'par' AND COLUMN_NAME LIKE '%' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION\
        """,
        """
        SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, NON_UNIQUE, NULL AS
        INDEX_QUALIFIER, INDEX_NAME, 3 AS TYPE, SEQ_IN_INDEX AS ORDINAL_POSITION, COLUMN_NAME,
        COLLATION AS ASC_OR_DESC, CARDINALITY, 0 AS PAGES, NULL AS FILTER_CONDITION FROM
        INFORMATION_SCHEMA.STATISTICS WHERE TABLE_SCHEMA = 'backend' AND TABLE_NAME = 'par' ORDER BY
        NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX\
        """,
        // its getImportedKeys, getExportedKeys, getCrossReference
        """
        SELECT DISTINCT A.REFERENCED_TABLE_SCHEMA AS PKTABLE_CAT, NULL AS PKTABLE_SCHEM,
        A.REFERENCED_TABLE_NAME AS PKTABLE_NAME, A.ORDINAL_POSITION AS KEY_SEQ, A.CONSTRAINT_NAME AS
        FK_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE A JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS B
        USING (CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_NAME) JOIN
        INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R ON (R.CONSTRAINT_NAME = B.CONSTRAINT_NAME AND
        R.TABLE_NAME = B.TABLE_NAME AND R.CONSTRAINT_SCHEMA = B.TABLE_SCHEMA) WHERE B.CONSTRAINT_TYPE =
        'FOREIGN KEY' AND A.TABLE_SCHEMA = 'backend' AND A.TABLE_NAME = 'chi' AND
        A.REFERENCED_TABLE_SCHEMA IS NOT NULL ORDER BY A.REFERENCED_TABLE_SCHEMA,
        A.REFERENCED_TABLE_NAME, A.ORDINAL_POSITION\
        """,
        """
        SELECT DISTINCT A.REFERENCED_TABLE_SCHEMA AS PKTABLE_CAT, TC.CONSTRAINT_NAME AS PK_NAME FROM
        INFORMATION_SCHEMA.KEY_COLUMN_USAGE A JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS B USING
        (TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME) JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS R
        ON (R.CONSTRAINT_NAME = B.CONSTRAINT_NAME AND R.TABLE_NAME = B.TABLE_NAME AND
        R.CONSTRAINT_SCHEMA = B.TABLE_SCHEMA) LEFT JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS TC ON
        (A.REFERENCED_TABLE_SCHEMA = TC.TABLE_SCHEMA AND A.REFERENCED_TABLE_NAME = TC.TABLE_NAME AND
        TC.CONSTRAINT_TYPE IN ('UNIQUE', 'PRIMARY KEY')) WHERE B.CONSTRAINT_TYPE = 'FOREIGN KEY' AND
        A.REFERENCED_TABLE_SCHEMA = 'backend' AND A.REFERENCED_TABLE_NAME = 'par' ORDER BY
        FKTABLE_CAT, FKTABLE_NAME, KEY_SEQ\
        """,
        """
        SELECT A.REFERENCED_TABLE_SCHEMA AS PKTABLE_CAT, TC.CONSTRAINT_NAME AS PK_NAME FROM
        INFORMATION_SCHEMA.KEY_COLUMN_USAGE A JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS B USING
        (TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME) LEFT JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS TC
        ON (A.REFERENCED_TABLE_SCHEMA = TC.TABLE_SCHEMA AND A.REFERENCED_TABLE_NAME = TC.TABLE_NAME)
        WHERE B.CONSTRAINT_TYPE = 'FOREIGN KEY' AND A.REFERENCED_TABLE_SCHEMA = 'backend' AND
        A.REFERENCED_TABLE_NAME = 'par' AND A.TABLE_SCHEMA = 'backend' AND A.TABLE_NAME = 'chi'\
        """,
        // MariaDB Connector/J, and so Hibernate
        """
        SELECT TABLE_SCHEMA TABLE_CAT, NULL TABLE_SCHEM, TABLE_NAME, IF(TABLE_SCHEMA IN ('mysql',
        'performance_schema', 'sys'), 'SYSTEM TABLE', TABLE_TYPE) as TABLE_TYPE FROM
        INFORMATION_SCHEMA.TABLES WHERE (ISNULL(database()) OR (TABLE_SCHEMA = database())) AND
        TABLE_NAME LIKE 'chi' ORDER BY TABLE_TYPE,TABLE_CAT,TABLE_SCHEMA,TABLE_NAME\
        """,
        """
        SELECT 2 SCOPE, COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS WHERE (COLUMN_KEY = 'PRI' OR
        (COLUMN_KEY = 'UNI' AND NOT EXISTS (SELECT * FROM INFORMATION_SCHEMA.COLUMNS WHERE COLUMN_KEY
        = 'PRI' AND TABLE_SCHEMA = database() AND TABLE_NAME = 'par'))) AND TABLE_SCHEMA = database()
        AND TABLE_NAME = 'par' AND IS_NULLABLE = 'NO'\
        """,
        """
        SELECT KCU.REFERENCED_TABLE_SCHEMA PKTABLE_CAT, RC.UNIQUE_CONSTRAINT_NAME PK_NAME FROM
        INFORMATION_SCHEMA.KEY_COLUMN_USAGE KCU INNER JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS
        RC ON KCU.CONSTRAINT_CATALOG = RC.CONSTRAINT_CATALOG AND KCU.CONSTRAINT_SCHEMA =
        RC.CONSTRAINT_SCHEMA AND KCU.CONSTRAINT_NAME = RC.CONSTRAINT_NAME WHERE KCU.TABLE_SCHEMA =
        'backend' AND KCU.TABLE_NAME = 'chi' ORDER BY PKTABLE_CAT, PKTABLE_SCHEM\
        """,
        """
        SELECT KCU.REFERENCED_TABLE_SCHEMA PKTABLE_CAT, RC.UNIQUE_CONSTRAINT_NAME PK_NAME FROM
        INFORMATION_SCHEMA.KEY_COLUMN_USAGE KCU INNER JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS
        RC ON KCU.CONSTRAINT_CATALOG = RC.CONSTRAINT_CATALOG AND KCU.CONSTRAINT_SCHEMA =
        RC.CONSTRAINT_SCHEMA AND KCU.CONSTRAINT_NAME = RC.CONSTRAINT_NAME WHERE
        KCU.REFERENCED_TABLE_SCHEMA = 'backend' AND KCU.REFERENCED_TABLE_NAME = 'par' ORDER BY 1\
        """,
        // SQLAlchemy
        """
        select table_schema, table_name, column_name from information_schema.columns where
        (table_schema, table_name, lower(column_name)) in (('backend', 'par', 'id'))\
        """,
        """
        SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE='SEQUENCE' and
        TABLE_NAME='s' AND TABLE_SCHEMA='backend'\
        """,
        // Django
        """
        SELECT table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema
        = DATABASE()\
        """,
        """
        SELECT kcu.column_name, rc.delete_rule FROM information_schema.key_column_usage kcu JOIN
        information_schema.referential_constraints rc ON rc.constraint_name = kcu.constraint_name AND
        rc.constraint_schema = kcu.constraint_schema WHERE kcu.table_name = 'chi' AND kcu.table_schema
        = DATABASE() AND kcu.referenced_table_schema = DATABASE() AND kcu.referenced_table_name IS NOT
        NULL AND kcu.referenced_column_name IS NOT NULL\
        """,
        """
        SELECT kc.`constraint_name`, c.`constraint_type` FROM information_schema.key_column_usage AS
        kc, information_schema.table_constraints AS c WHERE kc.table_schema = DATABASE() AND
        (kc.referenced_table_schema = DATABASE() OR kc.referenced_table_schema IS NULL) AND
        c.table_schema = kc.table_schema AND c.constraint_name = kc.constraint_name AND
        c.constraint_type != 'CHECK' AND kc.table_name = 'chi' ORDER BY kc.`ordinal_position`\
        """,
        """
        SELECT cc.constraint_name, cc.check_clause FROM information_schema.check_constraints AS cc,
        information_schema.table_constraints AS tc WHERE cc.constraint_schema = DATABASE() AND
        tc.table_schema = cc.constraint_schema AND cc.constraint_name = tc.constraint_name AND
        tc.constraint_type = 'CHECK' AND tc.table_name = 'par'\
        """,
        // Rails
        """
        SELECT table_name FROM (SELECT table_name, table_type FROM information_schema.tables WHERE
        table_schema = database()) _subquery WHERE _subquery.table_type = 'BASE TABLE'\
        """,
        """
        SELECT fk.referenced_table_name AS 'to_table', rc.delete_rule AS 'on_delete' FROM
        information_schema.referential_constraints rc JOIN information_schema.key_column_usage fk USING
        (constraint_schema, constraint_name) WHERE fk.referenced_column_name IS NOT NULL AND
        fk.table_schema = database() AND fk.table_name = 'chi' AND rc.constraint_schema = database()
        AND rc.table_name = 'chi' ORDER BY fk.ordinal_position\
        """,
        """
        SELECT cc.constraint_name AS 'name', cc.check_clause AS 'expression' FROM
        information_schema.check_constraints cc JOIN information_schema.table_constraints tc USING
        (constraint_schema, constraint_name) WHERE tc.table_schema = database() AND tc.table_name =
        'par' AND cc.constraint_schema = database()\
        """,
        // Laravel, phpMyAdmin
        """
        select kc.constraint_name as `name`, group_concat(kc.column_name order by kc.ordinal_position)
        as `columns` from information_schema.key_column_usage kc join
        information_schema.referential_constraints rc on kc.constraint_schema = rc.constraint_schema
        and kc.constraint_name = rc.constraint_name where kc.table_schema = 'backend' and
        kc.table_name = 'chi' and kc.referenced_table_name is not null group by kc.constraint_name\
        """,
        """
        SELECT *, `TABLE_SCHEMA` AS `Db` FROM `information_schema`.`TABLES` t WHERE `TABLE_SCHEMA`
        COLLATE utf8mb3_bin IN ('backend') ORDER BY `Name` ASC\
        """,
        // DBeaver
        """
        SELECT cc.CONSTRAINT_NAME, cc.CHECK_CLAUSE, tc.TABLE_NAME FROM (SELECT CONSTRAINT_NAME,
        CHECK_CLAUSE FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = 'backend' ORDER
        BY CONSTRAINT_NAME) cc, (SELECT TABLE_NAME, CONSTRAINT_NAME FROM
        INFORMATION_SCHEMA.TABLE_CONSTRAINTS tc WHERE TABLE_SCHEMA = 'backend') tc WHERE
        cc.CONSTRAINT_NAME = tc.CONSTRAINT_NAME ORDER BY cc.CONSTRAINT_NAME\
        """,
        """
        SELECT * FROM information_schema.TABLES t WHERE t.TABLE_SCHEMA = 'information_schema' AND
        t.TABLE_NAME = 'CHECK_CONSTRAINTS'\
        """,
        // Prisma, where it sends no parameters
        """
        SELECT DISTINCT BINARY table_info.table_name AS table_name, table_info.create_options AS
        create_options FROM information_schema.tables AS table_info JOIN information_schema.columns AS
        column_info ON BINARY column_info.table_name = BINARY table_info.table_name WHERE
        table_info.table_schema = 'backend' AND column_info.table_schema = 'backend' AND
        table_info.table_type = 'BASE TABLE' ORDER BY BINARY table_info.table_name\
        """,
        """
        SELECT DISTINCT BINARY kcu.constraint_name AS constraint_name, rc.update_rule update_rule FROM
        information_schema.key_column_usage AS kcu INNER JOIN
        information_schema.referential_constraints AS rc ON BINARY kcu.constraint_name = BINARY
        rc.constraint_name WHERE BINARY kcu.table_schema = 'backend' AND kcu.table_schema = 'backend'
        AND rc.constraint_schema = 'backend' AND kcu.referenced_column_name IS NOT NULL\
        """,
        // mysqldump
        """
        SELECT LOGFILE_GROUP_NAME, FILE_NAME, TOTAL_EXTENTS, INITIAL_SIZE, ENGINE, EXTRA FROM
        INFORMATION_SCHEMA.FILES WHERE ENGINE = 'ndbcluster' AND FILE_TYPE = 'UNDO LOG' AND FILE_NAME
        IS NOT NULL AND FILE_NAME <> '' AND LOGFILE_GROUP_NAME IN (SELECT DISTINCT LOGFILE_GROUP_NAME
        FROM INFORMATION_SCHEMA.FILES WHERE ENGINE = 'ndbcluster' AND FILE_TYPE = 'DATAFILE' AND
        TABLESPACE_NAME IN (SELECT DISTINCT TABLESPACE_NAME FROM INFORMATION_SCHEMA.PARTITIONS WHERE
        TABLE_SCHEMA IN ('backend'))) GROUP BY LOGFILE_GROUP_NAME, FILE_NAME, ENGINE ORDER BY 1\
        """,
      })
  void goToTheDatabaseOwnServer(String sql) {
    assertThat(work.bound(sql)).isEqualTo(new BoundPlan.AsIs("ds_backend"));
    assertThat(work.asked()).containsOnly("backend");
  }

  /** Conditions that leave rows of other databases. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT c.TABLE_NAME FROM information_schema.TABLES t JOIN information_schema.COLUMNS c ON"
            + " t.TABLE_NAME = c.TABLE_NAME WHERE t.TABLE_SCHEMA = 'backend'",
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'backend' OR"
            + " TABLE_NAME = 'x'",
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() UNION"
            + " SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'other'",
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE DATABASE() IS NOT NULL",
        "SELECT t.TABLE_NAME FROM information_schema.TABLES t LEFT JOIN information_schema.COLUMNS c"
            + " ON t.TABLE_SCHEMA = 'backend' AND c.TABLE_SCHEMA = 'backend'",
      })
  void goToOtherServersToo(String sql) {
    assertThat(work.bound(sql)).isInstanceOf(BoundPlan.Single.class);
    assertThat(work.asked()).contains("backend", "other");
  }
}
