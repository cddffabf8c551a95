package io.anabranch.rules.error;

/**
 * Every error that the proxy itself makes: id, errno, SQLSTATE, text, way out. Errors of a database
 * are passed on as they are and have no entry here. Where MariaDB and MySQL differ, entries are in
 * MariaDB's words, and {@link MySqlWording} has MySQL's.
 */
public enum ErrorCatalogue {
  UNKNOWN_DATABASE("AB1001", 1049, "42000", "Unknown database '%s'"),
  DATABASE_EXISTS("AB1107", 1007, "HY000", "Can't create database '%s'; database exists"),
  NO_DATABASE_TO_DROP("AB1108", 1008, "HY000", "Can't drop database '%s'; database doesn't exist"),
  NO_SUCH_TABLE("AB1002", 1146, "42S02", "Table '%s.%s' doesn't exist"),
  /** Of a server that tells upper from lower case: database, table, the one with rules. */
  TABLE_OF_OTHER_CASE(
      "AB1160",
      1146,
      "42S02",
      "Table '%s.%s' doesn't exist; AB1160: the data sources tell upper from lower case, and the"
          + " table of the configuration is '%s'"),
  /** A table of a database that is not there, or that the user may not see. */
  NO_TABLE_OF_NO_DATABASE("AB1063", 1146, "42S02", "Table '%s.%s' doesn't exist"),
  /** Database, view. */
  BROKEN_VIEW(
      "AB1065",
      1356,
      "HY000",
      "View '%s.%s' references invalid table(s) or column(s) or function(s) or definer/invoker of"
          + " view lack rights to use them"),
  NO_DATABASE_SELECTED("AB1003", 1046, "3D000", "No database selected"),
  ACCESS_DENIED("AB1004", 1045, "28000", "Access denied for user '%s'@'%s' (using password: %s)"),
  NET_ERROR_ON_WRITE("AB1051", 1160, "08S01", "Got an error writing communication packets"),
  DATABASE_ACCESS_DENIED(
      "AB1005", 1044, "42000", "Access denied for user '%s'@'%s' to database '%s'"),
  SYNTAX(
      "AB1006",
      1064,
      "42000",
      "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB"
          + " server version for the right syntax to use near '%s' at line %d"),
  EMPTY_QUERY("AB1011", 1065, "42000", "Query was empty"),
  UNKNOWN_CHARACTER_SET("AB1012", 1115, "42000", "Unknown character set: '%s'"),
  UNKNOWN_COLLATION("AB1013", 1273, "HY000", "Unknown collation: '%s'"),
  COLLATION_MISMATCH("AB1014", 1253, "42000", "COLLATION '%s' is not valid for CHARACTER SET '%s'"),
  UNKNOWN_COMMAND("AB1015", 1047, "08S01", "Unknown command"),
  UNKNOWN_SYSTEM_VARIABLE("AB1068", 1193, "HY000", "Unknown system variable '%s'"),
  UNKNOWN_STATEMENT("AB1016", 1243, "HY000", "Unknown prepared statement handler (%s) given to %s"),
  TOO_MANY_STATEMENTS(
      "AB1017",
      1461,
      "42000",
      "Can't create more than max_prepared_stmt_count statements (current value: %d)"),
  TOO_MANY_PLACEHOLDERS(
      "AB1170", 1390, "HY000", "Prepared statement contains too many placeholders"),
  NO_OPEN_CURSOR("AB1027", 1421, "HY000", "The statement (%s) has no open cursor"),
  NO_LOCAL_FILES(
      "AB1024",
      4166,
      "HY000",
      "The used command is not allowed because the MariaDB server or client has disabled the local"
          + " infile capability"),
  NOT_PREPARABLE(
      "AB1025",
      1295,
      "HY000",
      "This command is not supported in the prepared statement protocol yet"),
  LONG_DATA(
      "AB1071",
      1105,
      "HY000",
      "Parameter of prepared statement which is set through mysql_send_long_data() is longer than"
          + " 'max_allowed_packet' bytes"),
  WRONG_ARGUMENTS("AB1026", 1210, "HY000", "Incorrect arguments to %s"),
  PRIVILEGE_NEEDED(
      "AB1023",
      1227,
      "42000",
      "Access denied; you need (at least one of) the %s privilege(s) for this operation"),
  /** A privilege, a user, its address, a database, a table. */
  TABLE_DENIED("AB1100", 1142, "42000", "%s command denied to user '%s'@'%s' for table `%s`.`%s`"),
  ROUTINE_DENIED(
      "AB1101", 1370, "42000", "%s command denied to user '%s'@'%s' for routine '%s.%s'"),
  EXPLANATION_DENIED(
      "AB1102",
      1345,
      "HY000",
      "ANALYZE/EXPLAIN/SHOW can not be issued; lacking privileges for underlying table"),
  NO_SUCH_THREAD("AB1018", 1094, "HY000", "Unknown thread id: %d"),
  NO_SUCH_QUERY("AB1028", 1957, "HY000", "Unknown query id: %d"),
  KILL_DENIED("AB1019", 1095, "HY000", "You are not owner of thread %d"),
  TOO_MANY_CONNECTIONS("AB1020", 1040, "08004", "Too many connections"),
  SERVER_SHUTDOWN("AB1021", 1053, "08S01", "Server shutdown in progress"),
  WRONG_VALUE("AB1022", 1231, "42000", "Variable '%s' can't be set to the value of '%s'"),
  WRONG_TYPE_FOR_VARIABLE("AB1054", 1232, "42000", "Incorrect argument type to variable '%s'"),
  /** A variable of the proxy's own: name, value, what it takes. */
  WRONG_OWN_VALUE(
      "AB1055", 1231, "42000", "AB1055: '%s' can't be set to the value of '%s': it takes %s"),
  INSECURE_TRANSPORT(
      "AB1040",
      3159,
      "HY000",
      "Connections using insecure transport are prohibited while --require_secure_transport=ON."),
  ACCOUNT_LOCKED(
      "AB1041",
      3955,
      "HY000",
      "Access denied for user '%s'@'%s'. Account is blocked for %d second(s) (%d second(s)"
          + " remaining) due to %d consecutive failed logins."),
  TOO_MANY_USER_CONNECTIONS(
      "AB1042",
      1203,
      "42000",
      "User %s already has more than 'max_user_connections' active connections"),
  USER_LIMIT_REACHED(
      "AB1043", 1226, "42000", "User '%s' has exceeded the '%s' resource (current value: %d)"),
  BAD_HANDSHAKE("AB1044", 1043, "08S01", "Bad handshake"),
  IDLE_TOO_LONG(
      "AB1045",
      4031,
      "HY000",
      "The client was disconnected by the server because of inactivity. See wait_timeout and"
          + " interactive_timeout for configuring this behavior."),
  COLUMN_TWICE("AB1066", 1110, "42000", "Column '%s' specified twice"),
  WRONG_SEPARATOR(
      "AB1067",
      1083,
      "42000",
      "Field separator argument is not what is expected; check the manual"),
  COLUMN_COUNT("AB1030", 1136, "21S01", "Column count doesn't match value count at row %d"),
  SESSION_STATE_LOST(
      "AB3019",
      1430,
      "HY000",
      "AB3019: lost connection to data source '%s', which had temporary tables, locks or other state"
          + " of the session; connect anew"),
  TOO_MANY_ROWS("AB1060", 1172, "42000", "Result consisted of more than one row"),
  INTO_COLUMN_COUNT(
      "AB1061", 1222, "21000", "The used SELECT statements have a different number of columns"),
  TRIGGER_EXISTS("AB1058", 1359, "HY000", "Trigger '%s' already exists"),
  NO_SUCH_GRANT(
      "AB1059", 1141, "42000", "There is no such grant defined for user '%s' on host '%s'"),
  NO_SUCH_TABLE_GRANT(
      "AB1106",
      1147,
      "42000",
      "There is no such grant defined for user '%s' on host '%s' on table '%s'"),
  /** Statement, account in quotes. */
  ACCOUNT_OPERATION_FAILED("AB1105", 1396, "HY000", "Operation %s failed for %s"),
  TABLE_EXISTS("AB1046", 1050, "42S01", "Table '%s' already exists"),
  TABLE_NOT_LOCKED("AB1049", 1100, "HY000", "Table '%s' was not locked with LOCK TABLES"),
  TABLES_ARE_LOCKED(
      "AB1094",
      1192,
      "HY000",
      "Can't execute the given command because you have active locked tables or an active transaction"),
  NOT_UNIQUE_TABLE("AB1050", 1066, "42000", "Not unique table/alias: '%s'"),
  NO_DEFAULT("AB1047", 1364, "HY000", "Field '%s' doesn't have a default value"),
  TOO_FEW_FIELDS("AB1056", 1261, "01000", "Row %d doesn't contain data for all columns"),
  TOO_MANY_FIELDS(
      "AB1057",
      1262,
      "01000",
      "Row %d was truncated; it contained more data than there were input columns"),
  NULL_FIELD(
      "AB1069",
      1263,
      "22004",
      "Column set to default value; NULL supplied to NOT NULL column '%s' at row %d"),
  NOT_NULL("AB1048", 1048, "23000", "Column '%s' cannot be null"),
  UNKNOWN_TABLE("AB1095", 1051, "42S02", "Unknown table '%s'"),
  /** A name in front of its 65th character. */
  NAME_TOO_LONG("AB1104", 1059, "42000", "Identifier name '%s' is too long"),
  UNKNOWN_VIEW("AB1103", 4092, "42S02", "Unknown VIEW: '%s'"),
  UNKNOWN_TABLE_IN("AB1032", 1109, "42S02", "Unknown table '%s' in %s"),
  /** Column, where it stands. */
  AMBIGUOUS_COLUMN("AB1152", 1052, "23000", "Column '%s' in %s is ambiguous"),
  UNKNOWN_COLUMN("AB1031", 1054, "42S22", "Unknown column '%s' in '%s'"),
  /** A construct that cannot be answered exactly over several shards: construct, way out. */
  CONFIGURATION_REFUSED("AB2060", 1105, "HY000", "AB2060: the configuration stays as it is: %s"),
  /** A database that was created and has nothing behind it: its name. */
  NO_STORAGE_UNIT(
      "AB2063",
      1105,
      "HY000",
      "AB2063: the database '%s' has no storage unit yet: an administrator adds one with REGISTER"
          + " STORAGE UNIT"),
  /** What binds the session to the former rules. */
  CONFIGURATION_CHANGED(
      "AB2061",
      1105,
      "HY000",
      "AB2061: the configuration of the database has changed, and this session cannot go on with it:"
          + " %s; connect again"),
  /** Whose limit is over. */
  CONFIGURATION_LEFT(
      "AB2062",
      1105,
      "HY000",
      "AB2062: the transaction was rolled back: the configuration changed while it was open, and it"
          + " did not end within %d ms"),
  NOT_EXACT("AB2001", 1235, "42000", "AB2001: %s over several shards is not supported exactly; %s"),
  /** A feature or key that a later release brings. */
  NOT_SUPPORTED("AB2002", 1235, "42000", "AB2002: %s is not supported; %s"),
  /** A place that no encrypted column can have: what, its name, way out. */
  ENCRYPTED_COLUMN(
      "AB2070", 1235, "42000", "AB2070: %s with the encrypted column '%s' is not supported; %s"),
  /** The same of a table that has such columns. */
  ENCRYPTED_TABLE(
      "AB2071",
      1235,
      "42000",
      "AB2071: %s with the table '%s', which has encrypted columns, is not supported; %s"),
  /** A value that its encryptor does not take: column, reason. */
  NOT_ENCRYPTED("AB2072", 1366, "HY000", "AB2072: a value of the column '%s' is refused: %s"),
  /** Stored by somebody else: column, reason. */
  NOT_DECRYPTED(
      "AB2073",
      1105,
      "HY000",
      "AB2073: a value of the column '%s' cannot be decrypted: %s; see that the key is the one that"
          + " it was stored with"),
  /** The second witness: what the database calls a column that is not decrypted. */
  CIPHERTEXT_WITHHELD(
      "AB2074",
      1105,
      "HY000",
      "AB2074: column %d of the answer holds what is stored for an encrypted column (%s.%s), and is"
          + " not decrypted; name the columns plainly"),
  /** A write that would go to every shard by mistake, or to none. */
  UNROUTABLE_WRITE("AB2003", 1235, "42000", "AB2003: %s; %s"),
  /** Parts of one table that are defined differently: table, what differs where, way out. */
  DEFINITIONS_DIFFER(
      "AB2049",
      1105,
      "HY000",
      "AB2049: the parts of table '%s' are defined differently: %s; make them equal (CHECK TABLE %s"
          + " ACROSS SHARDS proposes the statements)"),
  /** A unique key of a row that another node has: its values, the key. */
  DUPLICATE_KEY("AB1064", 1062, "23000", "Duplicate entry '%s' for key '%s'"),
  /** A unique key that no node can keep unique by itself: key, table, why. */
  KEY_ACROSS_SHARDS(
      "AB2050",
      1503,
      "HY000",
      "AB2050: each node would keep %s of the sharded table '%s' unique for itself: %s, have it"
          + " made by a keyGenerateStrategy, or set uniqueKeysWithoutShardingColumns: WARN or CHECK"),
  MERGE_LIMIT("AB2004", 1038, "HY001", "AB2004: %s needs more than %s; %s"),
  /** All statements together have copied as much as they may: bytes. */
  STAGE_SHARE(
      "AB2075",
      1041,
      "HY000",
      "AB2075: no room for copies of rows: all statements together may have %d bytes in temporary"
          + " tables; try again later, or raise proxy-stage-total-bytes"),
  /** A client without TLS, of whose name an account store is asked: the name. */
  CLEAR_PASSWORD_NEEDS_TLS(
      "AB2077",
      3159,
      "HY000",
      "AB2077: the password of '%s' is checked by an account store, which needs the password itself:"
          + " connect with TLS, and allow mysql_clear_password in the client"),
  /** A login that the account store has given no answer to: the name. */
  ACCOUNT_STORE_SILENT(
      "AB2078",
      1105,
      "08004",
      "AB2078: the account store that is asked about '%s' gives no answer, the proxy's log says why;"
          + " try again later"),
  /** Kind and type of the plug-in, what it did. */
  PLUG_IN_FAILED("AB2092", 1105, "HY000", "AB2092: the %s of type %s, a plug-in, failed: %s"),
  /** Another proxy of the cluster is of no help: which, why. */
  PROXY_SILENT("AB2090", 1105, "HY000", "AB2090: the proxy %s of this cluster %s"),
  /** A value that a sharding algorithm cannot map: algorithm, value, way out. */
  SHARDING_VALUE("AB2005", 1235, "42000", "AB2005: the algorithm %s cannot place %s; %s"),
  /** The clock went back: no new keys until it has caught up. */
  CLOCK_WENT_BACK(
      "AB2006",
      1105,
      "HY000",
      "AB2006: the clock went back by %d ms, no keys are made until it has caught up; check the"
          + " time service of this machine"),
  /** No key is at hand, and this thread does not wait: whose. */
  KEYS_AWAITED("AB2014", 1105, "HY000", "AB2014: no key of %s is at hand; repeat the statement"),
  /** A database does not give what keys are made of: whose, why. */
  KEYS_UNAVAILABLE(
      "AB2015", 1105, "HY000", "AB2015: no keys of %s can be made: %s; nothing was written"),
  /** What might show a masked value. */
  MASKED(
      "AB2016",
      1142,
      "42000",
      "AB2016: %s beside masked columns is not allowed, for it could show what they hide; name such"
          + " columns in a select list only, without an expression, or ask for the right to see"
          + " them (users of !MASK)"),
  /** An auditor refused a statement: auditor, table, why. */
  AUDITED(
      "AB2008",
      1235,
      "42000",
      "AB2008: auditor '%s' does not allow this statement on table '%s': %s, or the hint"
          + " DISABLE_AUDIT_NAMES where allowHintDisable is set"),
  /** Copies of a broadcast table made different keys for the same rows. */
  BROADCAST_DIFFERS(
      "AB2007",
      1105,
      "HY000",
      "AB2007: the data sources would give the rows of a broadcast table different AUTO_INCREMENT"
          + " values; nothing was written; give the column a value"),
  COPIES_CHANGED_APART(
      "AB2017",
      1213,
      "40001",
      "AB2017: the statement met other rows in the data sources' copies of a broadcast table, which"
          + " another session changed at that moment, or which differ; nothing was written; try"
          + " again, or compare them by CHECK TABLE … ACROSS SHARDS"),
  /** MySQL: a statement cannot get the types that its handle has from its executions. */
  PARAMETER_TYPES(
      "AB2041",
      1235,
      "42000",
      "AB2041: MySQL gives the parameters of this prepared statement types by the values of this"
          + " execution and of former ones, which its connection cannot be given here; bind values"
          + " of the types of what they are compared and calculated with, the same each time"),
  /** Something that a client wanted kept: what, whose share, its bytes, of what, way out. */
  MEMORY_SHARE(
      "AB2009",
      1037,
      "HY001",
      "AB2009: no memory for %s: %s may keep %d bytes of %s in the proxy; %s"),
  /** The proxy was short of memory, and the session kept more than others: bytes. */
  MEMORY_SHORT(
      "AB2010",
      1037,
      "HY001",
      "AB2010: the proxy ran short of memory and ended what kept most of it: %d bytes of this"
          + " session; try again with less, or give the proxy more memory"),
  /** A user variable that no connection could be given: name, bytes, limit. */
  VARIABLE_TOO_LONG(
      "AB2011",
      1235,
      "42000",
      "AB2011: the user variable @%s is too long to be given to other connections: %d bytes of"
          + " text, where max_allowed_packet of the data source is %d; raise that"),
  /** Values of user variables that are to stand in one statement: name, limit. */
  VALUES_TOO_LONG(
      "AB2093",
      1301,
      "HY000",
      "AB2093: the values of user variables that the statement is to have, @%s among them, are"
          + " longer than a command may be (%d bytes: proxy-frontend-max-allowed-packet); raise"
          + " that, or compare them with a table's columns"),
  VARIABLE_WITHOUT_TEXT(
      "AB2079",
      1300,
      "HY000",
      "AB2079: the user variable @%s holds bytes that are no text in its character set, which no"
          + " literal gives to other connections; write _binary in front of the value"),
  /** As servers say it, and for as many levels. */
  NESTED_SELECTS("AB1062", 1473, "HY000", "Too high level of nesting for select"),
  /** As servers say it, and for as many tables. */
  TOO_MANY_TABLES(
      "AB2091", 1116, "HY000", "Too many tables; MariaDB can only use %d tables in a join"),
  /** What servers call a thread stack overrun: the stack that did not suffice, in MiB. */
  NESTED_TOO_DEEPLY(
      "AB2012",
      1436,
      "HY000",
      "AB2012: the statement is nested too deeply: planning it over shards needs more than a stack"
          + " of %d MiB; write it with fewer parentheses, signs or operators within each other"),
  /** Rows that are kept in files: why not. */
  NO_TEMPORARY_SPACE(
      "AB2013",
      1021,
      "HY000",
      "AB2013: rows do not fit into the proxy's temporary directory: %s; make room there, or narrow"
          + " the statement"),
  DATA_SOURCE_DOWN("AB3001", 1429, "HY000", "AB3001: data source '%s' cannot be reached: %s"),
  /** The server is there, and has not got the schema: data source, its words. */
  SCHEMA_GONE("AB3025", 1429, "HY000", "AB3001: data source '%s' cannot be reached: %s"),
  LEASE_TIMEOUT(
      "AB3002",
      1040,
      "HY000",
      "AB3002: no connection of data source '%s' became free within %d ms; raise maxPoolSize or"
          + " shorten transactions"),
  /** A circuit breaker is open: data source, why, milliseconds until it is tried again. */
  DATA_SOURCE_RESTS(
      "AB3027",
      1429,
      "HY000",
      "AB3027: data source '%s' is given a rest, because %s; try again in %d ms"),
  /**
   * More wait for connections than may, or than can be served in time, and this one's priority is
   * the lowest: data source, how many wait, milliseconds until they have been served.
   */
  OVERLOADED(
      "AB2076",
      3168,
      "HY000",
      "AB2076: data source '%s' has more to do than it can, %d statements wait for a connection; try"
          + " again in %d ms"),
  BACKEND_LOST("AB3003", 1430, "HY000", "AB3003: lost connection to data source '%s' during query"),
  /** A COMMIT over several data sources that did not succeed on each: what happened where. */
  COMMIT_INCOMPLETE(
      "AB3004", 1180, "HY000", "AB3004: the transaction was not committed everywhere: %s"),
  /** DDL over several data sources that did not succeed on each: what happened where. */
  DDL_INCOMPLETE(
      "AB3005",
      1105,
      "HY000",
      "AB3005: the statement failed on a part of the tables: %s; repair the cause and run it again"
          + " where it failed"),
  /** A write that was not to be one unit, and did not succeed on each node: what happened where. */
  WRITE_INCOMPLETE(
      "AB3023",
      1105,
      "HY000",
      "AB3023: the statement failed on a part of the nodes, and proxy-atomic-statements is off: %s"),
  TRANSACTION_LOST(
      "AB3006",
      1430,
      "HY000",
      "AB3006: lost connection to data source '%s' during a transaction; it was rolled back on all"
          + " data sources"),
  /** A COMMIT or ROLLBACK whose answer did not come. */
  COMMIT_UNKNOWN(
      "AB3007",
      1180,
      "HY000",
      "AB3007: lost connection to data source '%s' while the transaction was ended; nobody can tell"
          + " whether it was committed"),
  /** Writes to a group that has no primary: group, why. */
  NO_PRIMARY(
      "AB3010",
      1290,
      "HY000",
      "AB3010: the group '%s' has no primary that takes writes: %s; the statement has not run"),
  /** Writes to a group with several primaries: group, which. */
  SPLIT_BRAIN(
      "AB3011",
      1290,
      "HY000",
      "AB3011: writes to the group '%s' are stopped: %s; make all but one read-only"),
  /** Reads while no replica is fit and the primary is not to be asked: group, members. */
  NO_REPLICA("AB3012", 1429, "HY000", "AB3012: no replica of the group '%s' takes reads: %s"),
  /** LASTVAL() and the like where the connection would not know: sequence. */
  SEQUENCE_UNKNOWN(
      "AB3024",
      1235,
      "42000",
      "AB3024: what the sequence %s gave last is known on the connection that drew from it: this"
          + " session has not drawn from it by name, or has lost that connection; draw first, as in"
          + " SELECT NEXTVAL(...), or read the value with INSERT ... RETURNING"),
  XA_LOG_DOWN(
      "AB3008",
      1402,
      "XA100",
      "AB3008: the XA log cannot be written, so that changes in several data sources cannot be"
          + " committed together; the transaction was rolled back everywhere"),
  XA_FENCED(
      "AB3009",
      1402,
      "XA100",
      "AB3009: another proxy took this one for dead; the transaction was rolled back everywhere"),
  /** A data source that does not let the proxy recover branches: which, why. */
  XA_UNFIT(
      "AB3013",
      1402,
      "XA100",
      "AB3013: the data source '%s' cannot take part in a transaction over several: %s; the"
          + " transaction was rolled back everywhere"),
  NO_SNAPSHOT(
      "AB3020",
      1205,
      "HY000",
      "AB3020: no consistent snapshot over the data sources could be opened in time: %s"),
  TRANSACTION_IDLE(
      "AB3021",
      1317,
      "70100",
      "AB3021: the transaction was rolled back: it had been idle for more than %d ms"),
  TRANSACTION_LONG(
      "AB3022",
      1317,
      "70100",
      "AB3022: the transaction was rolled back: it had been open for more than %d ms"),
  LIMIT_CONNECTIONS(
      "AB3030",
      1040,
      "08004",
      "AB3030: Too many connections: the limit '%s' allows %d at the same time; try again when"
          + " others are closed"),
  LIMIT_USER_CONNECTIONS(
      "AB3031",
      1203,
      "42000",
      "AB3031: Too many connections of this user: the limit '%s' allows each %d at the same time;"
          + " try again when others are closed"),
  LIMIT_CONNECT_RATE(
      "AB3032",
      1226,
      "42000",
      "AB3032: Too many logins: the limit '%s' allows %d in a second; try again in %d ms"),
  LIMIT_QUEUE_FULL(
      "AB3033",
      1226,
      "42000",
      "AB3033: Too many statements: the limit '%s' lets %d run at a time, and %d wait; try again"
          + " when others have ended"),
  LIMIT_QUEUE_TIME(
      "AB3034",
      1226,
      "42000",
      "AB3034: Too many statements: the limit '%s' lets %d run at a time, and this one has waited"
          + " for %d ms; try again when others have ended"),
  LIMIT_STATEMENT_RATE(
      "AB3035",
      1226,
      "42000",
      "AB3035: Too many statements: the limit '%s' allows %d in a second; try again in %d ms"),
  RULE_DENIES("AB3040", 1148, "42000", "AB3040: The rule '%s' does not allow this statement: %s"),
  RULE_TIME(
      "AB3041",
      3024,
      "HY000",
      "AB3041: Query execution was interrupted: the rule '%s' allows %d ms"),
  RULE_ROWS(
      "AB3042",
      1104,
      "42000",
      "AB3042: The result is too large: the rule '%s' allows %d rows; add a LIMIT or a condition"),
  RULE_BYTES(
      "AB3043",
      1104,
      "42000",
      "AB3043: The result is too large: the rule '%s' allows %d bytes of rows; add a LIMIT, a"
          + " condition, or leave out columns"),
  RULE_DATA_SOURCES(
      "AB3044",
      1148,
      "42000",
      "AB3044: The rule '%s' allows this statement %d data source(s) at a time, it needs %d; add a"
          + " condition on the sharding column"),
  RULE_PLACES(
      "AB3045",
      1226,
      "42000",
      "AB3045: Too many statements: the rule '%s' lets %d run at a time; try again when others have"
          + " ended"),
  RULE_REWRITES(
      "AB3046",
      1148,
      "42000",
      "AB3046: The rule '%s' makes %s of this statement; change its pattern, or what it puts in"),
  TRANSACTION_IN_PROGRESS(
      "AB1007",
      1568,
      "25001",
      "Transaction characteristics can't be changed while a transaction is in progress"),
  NO_SUCH_SAVEPOINT("AB1008", 1305, "42000", "SAVEPOINT %s does not exist"),
  DEADLOCK(
      "AB1052",
      1213,
      "40001",
      "Deadlock found when trying to get lock; try restarting transaction"),
  QUERY_INTERRUPTED("AB1009", 1317, "70100", "Query execution was interrupted"),
  CONNECTION_KILLED("AB1053", 1927, "70100", "Connection was killed"),
  INTERNAL("AB9001", 1105, "HY000", "AB9001: internal error %s; see the proxy's log");

  private final String id;
  private final int errno;
  private final String sqlState;
  private final String template;

  ErrorCatalogue(String id, int errno, String sqlState, String template) {
    this.id = id;
    this.errno = errno;
    this.sqlState = sqlState;
    this.template = template;
  }

  public String id() {
    return id;
  }

  public int errno() {
    return errno;
  }

  public String sqlState() {
    return sqlState;
  }

  /** As clients read it, with {@code …} for what it names, and without the number in front. */
  String says() {
    String text = isOwn() ? template.substring(id.length() + ": ".length()) : template;
    return text.replaceAll("%[sd]", "…");
  }

  /** Whether clients see the proxy's own number: no server says so. */
  boolean isOwn() {
    return template.startsWith(id);
  }

  /** Fills the template; the number and types of the arguments must fit it. */
  public RefusedException refuse(Object... arguments) {
    String subject = arguments.length == 0 ? "" : String.valueOf(arguments[0]);
    return new RefusedException(this, subject, template.formatted(arguments), arguments);
  }
}
