/*
 * Cases with MariaDB Connector/C: prints what a program sees, to be compared between servers.
 *
 * usage: cases HOST PORT USER PASSWORD DATABASE all|crud
 */
#include <mysql.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *host, *user, *password, *database;
static unsigned port;

/* What of flags and status is printed: over shards not what the server's optimizer leaves there. */
static unsigned flag_mask = ~0U, status_mask = ~0U;

/* ---- what is printed */

static void cell(const char *value, unsigned long length) {
  if (!value) {
    printf("|NULL");
    return;
  }
  putchar('|');
  for (unsigned long i = 0; i < length && i < 60; i++) {
    unsigned char c = (unsigned char)value[i];
    if (c < 32 || c > 126) printf("\\x%02x", c);
    else putchar(c);
  }
  if (length > 60) printf("... %lu bytes", length);
}

static void fields(MYSQL_RES *result) {
  unsigned count = mysql_num_fields(result);
  MYSQL_FIELD *all = mysql_fetch_fields(result);
  for (unsigned i = 0; i < count; i++)
    printf("  column %s (%s.%s as %s) type %d length %lu flags %u decimals %u charset %u default %s\n", all[i].name,
           all[i].org_table, all[i].org_name, all[i].table, all[i].type, all[i].length, all[i].flags & flag_mask, all[i].decimals,
           all[i].charsetnr, all[i].def ? all[i].def : "none");
}

static void rows(MYSQL *db, MYSQL_RES *result) {
  fields(result);
  MYSQL_ROW row;
  unsigned long count = 0;
  while ((row = mysql_fetch_row(result))) {
    unsigned long *lengths = mysql_fetch_lengths(result);
    if (++count <= 10) {
      printf("  ");
      for (unsigned i = 0; i < mysql_num_fields(result); i++) cell(row[i], lengths[i]);
      putchar('\n');
    }
  }
  printf("  %lu rows, errno %u\n", count, mysql_errno(db));
  mysql_free_result(result);
}

static void error(MYSQL *db) {
  printf("  error %u %s %s\n", mysql_errno(db), mysql_sqlstate(db), mysql_error(db));
}

/* All results of a text statement. */
static void query(MYSQL *db, const char *sql, bool stored) {
  printf("%s\n", sql);
  if (mysql_query(db, sql)) {
    error(db);
    return;
  }
  int more;
  do {
    MYSQL_RES *result = stored ? mysql_store_result(db) : mysql_use_result(db);
    if (result) rows(db, result);
    else if (mysql_field_count(db)) error(db);
    else
      printf("  affected %lld id %lld info %s\n", (long long)mysql_affected_rows(db), (long long)mysql_insert_id(db),
             mysql_info(db) ? mysql_info(db) : "none");
    printf("  warnings %u status %u\n", mysql_warning_count(db), db->server_status & status_mask);
    more = mysql_next_result(db);
  } while (more == 0);
  if (more > 0) error(db);
}

static MYSQL *connect_with(unsigned long flags, int compress, int tls) {
  MYSQL *db = mysql_init(NULL);
  my_bool on = 1;
  unsigned local = 1;
  mysql_options(db, MYSQL_OPT_LOCAL_INFILE, &local);
  mysql_options(db, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  mysql_options4(db, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "cases");
  if (compress) mysql_options(db, MYSQL_OPT_COMPRESS, NULL);
  if (tls) mysql_options(db, MYSQL_OPT_SSL_ENFORCE, &on);
  if (!mysql_real_connect(db, host, user, password, database, port, NULL, flags)) {
    printf("cannot connect: %u %s\n", mysql_errno(db), mysql_error(db));
    exit(1);
  }
  return db;
}

/* ---- prepared statements */

static void statement_error(MYSQL_STMT *statement) {
  printf("  error %u %s %s\n", mysql_stmt_errno(statement), mysql_stmt_sqlstate(statement), mysql_stmt_error(statement));
}

/* Rows of the binary protocol, each cell as a string. */
static void statement_rows(MYSQL_STMT *statement) {
  MYSQL_RES *metadata = mysql_stmt_result_metadata(statement);
  if (!metadata) {
    printf("  affected %lld id %lld warnings %u\n", (long long)mysql_stmt_affected_rows(statement),
           (long long)mysql_stmt_insert_id(statement), mysql_stmt_warning_count(statement));
    return;
  }
  unsigned count = mysql_num_fields(metadata);
  fields(metadata);
  MYSQL_BIND *binds = calloc(count, sizeof *binds);
  char(*buffers)[256] = calloc(count, sizeof *buffers);
  unsigned long *lengths = calloc(count, sizeof *lengths);
  my_bool *nulls = calloc(count, sizeof *nulls);
  for (unsigned i = 0; i < count; i++) {
    binds[i].buffer_type = MYSQL_TYPE_STRING;
    binds[i].buffer = buffers[i];
    binds[i].buffer_length = sizeof buffers[i];
    binds[i].length = &lengths[i];
    binds[i].is_null = &nulls[i];
  }
  mysql_stmt_bind_result(statement, binds);
  unsigned long all = 0;
  int fetched;
  while ((fetched = mysql_stmt_fetch(statement)) == 0 || fetched == MYSQL_DATA_TRUNCATED) {
    if (++all > 5) continue;
    printf("  ");
    for (unsigned i = 0; i < count; i++) {
      if (nulls[i]) cell(NULL, 0);
      else cell(buffers[i], lengths[i] < sizeof buffers[i] ? lengths[i] : sizeof buffers[i]);
    }
    putchar('\n');
  }
  if (fetched == 1) statement_error(statement);
  printf("  %lu rows, warnings %u\n", all, mysql_stmt_warning_count(statement));
  free(nulls);
  free(lengths);
  free(buffers);
  free(binds);
  mysql_free_result(metadata);
}

static MYSQL_STMT *prepare(MYSQL *db, const char *sql) {
  printf("prepare %s\n", sql);
  MYSQL_STMT *statement = mysql_stmt_init(db);
  if (mysql_stmt_prepare(statement, sql, strlen(sql))) {
    statement_error(statement);
    mysql_stmt_close(statement);
    return NULL;
  }
  printf("  %lu parameters, %u columns\n", mysql_stmt_param_count(statement), mysql_stmt_field_count(statement));
  return statement;
}

static void execute(MYSQL_STMT *statement) {
  if (mysql_stmt_execute(statement)) {
    statement_error(statement);
    return;
  }
  int more;
  do {
    statement_rows(statement);
    mysql_stmt_free_result(statement);
    more = mysql_stmt_next_result(statement);
  } while (more == 0);
  if (more > 0) statement_error(statement);
}

static void prepared_once(MYSQL *db, const char *sql) {
  MYSQL_STMT *statement = prepare(db, sql);
  if (!statement) return;
  execute(statement);
  mysql_stmt_close(statement);
}

static const char *const types[] = {"TINYINT",   "SMALLINT UNSIGNED", "BIGINT UNSIGNED", "FLOAT", "DOUBLE",  "DECIMAL(12,4)",
                                    "DATE",      "DATETIME(6)",       "TIME(3)",         "YEAR",  "BIT(12)", "VARCHAR(50)",
                                    "VARBINARY(50)", "ENUM('a','b')", "SET('x','y')",    "JSON",  "LONGTEXT"};
static const char *const values[] = {"-7",         "65535",                      "18446744073709551615", "1.5", "2.25e-7", "1234.5678",
                                     "2024-02-29", "2024-02-29 23:59:59.123456", "-30:00:00.005",        "2024", "\x0f\xa0", "Zo\xc3\xab \xf0\x9f\xa6\x86",
                                     "a\x01z",     "b",                          "x,y",                  "{\"k\": [1, null]}", "long"};
enum { TYPES = sizeof types / sizeof *types };

static void binary_types(MYSQL *db) {
  char sql[4000] = "CREATE OR REPLACE TABLE c_types (id INT PRIMARY KEY AUTO_INCREMENT";
  char insert[400] = "INSERT INTO c_types VALUES (NULL";
  for (int i = 0; i < TYPES; i++) {
    sprintf(sql + strlen(sql), ", c%d %s", i, types[i]);
    strcat(insert, ", ?");
  }
  query(db, strcat(sql, ")"), true);
  MYSQL_STMT *statement = prepare(db, strcat(insert, ")"));
  if (!statement) return;
  MYSQL_BIND binds[TYPES];
  unsigned long lengths[TYPES];
  my_bool nulls[TYPES] = {0};
  memset(binds, 0, sizeof binds);
  for (int i = 0; i < TYPES; i++) {
    lengths[i] = strlen(values[i]);
    binds[i].buffer_type = i == 10 || i == 12 ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING;
    binds[i].buffer = (void *)values[i];
    binds[i].buffer_length = lengths[i];
    binds[i].length = &lengths[i];
    binds[i].is_null = &nulls[i];
  }
  mysql_stmt_bind_param(statement, binds);
  execute(statement);
  for (int i = 0; i < TYPES; i++) nulls[i] = 1;
  execute(statement);
  nulls[TYPES - 1] = 0;
  char piece[100001];
  memset(piece, 'p', sizeof piece);
  for (int i = 0; i < 30; i++) mysql_stmt_send_long_data(statement, TYPES - 1, piece, sizeof piece);
  execute(statement);
  mysql_stmt_close(statement);
  query(db, "SELECT * FROM c_types ORDER BY id", true);
  prepared_once(db, "SELECT * FROM c_types WHERE id < 3 ORDER BY id");
  prepared_once(db, "SELECT id, LENGTH(c16), MD5(c16) FROM c_types ORDER BY id");
}

/* Parameters of the library's own types: integers, doubles and times travel as such. */
static void typed_parameters(MYSQL *db) {
  MYSQL_STMT *statement = prepare(db, "SELECT ? + 1, ? * 2, ?, ?, ?");
  if (!statement) return;
  long long big = -9223372036854775807LL;
  double real = 0.125;
  MYSQL_TIME moment = {2024, 2, 29, 23, 59, 58, 123456, 0, MYSQL_TIMESTAMP_DATETIME};
  MYSQL_TIME span = {0, 0, 2, 30, 0, 1, 500000, 1, MYSQL_TIMESTAMP_TIME};
  unsigned char tiny = 200;
  MYSQL_BIND binds[5];
  memset(binds, 0, sizeof binds);
  binds[0] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_LONGLONG, .buffer = &big};
  binds[1] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DOUBLE, .buffer = &real};
  binds[2] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DATETIME, .buffer = &moment};
  binds[3] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_TIME, .buffer = &span};
  binds[4] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_TINY, .buffer = &tiny, .is_unsigned = 1};
  mysql_stmt_bind_param(statement, binds);
  execute(statement);
  big = 41;
  execute(statement);
  mysql_stmt_close(statement);
}

static void cursors(MYSQL *db, const char *sql) {
  MYSQL_STMT *statement = prepare(db, sql);
  if (!statement) return;
  unsigned long type = CURSOR_TYPE_READ_ONLY, portion = 7;
  mysql_stmt_attr_set(statement, STMT_ATTR_CURSOR_TYPE, &type);
  mysql_stmt_attr_set(statement, STMT_ATTR_PREFETCH_ROWS, &portion);
  execute(statement);
  execute(statement);
  mysql_stmt_execute(statement);
  printf("  left open: reset %d\n", mysql_stmt_reset(statement));
  execute(statement);
  mysql_stmt_close(statement);
}

static void statements_out_of_order(MYSQL *db) {
  MYSQL_STMT *statement = prepare(db, "SELECT 1 UNION SELECT 2");
  if (!statement) return;
  mysql_stmt_execute(statement);
  printf("query behind an unread result: %d\n", mysql_query(db, "SELECT 3"));
  error(db);
  mysql_stmt_free_result(statement);
  query(db, "SELECT 4", true);
  execute(statement);
  mysql_stmt_close(statement);
}

static void procedures(MYSQL *db) {
  query(db, "DROP PROCEDURE IF EXISTS c_procedure", true);
  query(db,
        "CREATE PROCEDURE c_procedure(IN a INT, OUT b VARCHAR(20), INOUT c INT) BEGIN SELECT a, a + 1; SET b = CONCAT('out ', a); "
        "SET c = c * 2; SELECT 'second'; END",
        true);
  query(db, "SET @c = 4", true);
  query(db, "CALL c_procedure(1, @b, @c)", true);
  query(db, "CALL c_procedure(1, @b, @c)", false);
  query(db, "SELECT @b, @c", true);
  MYSQL_STMT *statement = prepare(db, "CALL c_procedure(?, ?, ?)");
  if (!statement) return;
  int first = 5, third = 6;
  char second[20] = "";
  MYSQL_BIND binds[3];
  memset(binds, 0, sizeof binds);
  binds[0] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_LONG, .buffer = &first};
  binds[1] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_STRING, .buffer = second, .buffer_length = 0};
  binds[2] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_LONG, .buffer = &third};
  mysql_stmt_bind_param(statement, binds);
  execute(statement);
  execute(statement);
  mysql_stmt_close(statement);
}

static void listed(MYSQL *db, const char *table, const char *pattern) {
  printf("fields of %s like %s\n", table, pattern ? pattern : "any");
  MYSQL_RES *result = mysql_list_fields(db, table, pattern);
  if (!result) {
    error(db);
    return;
  }
  fields(result);
  mysql_free_result(result);
}

static void sessions(MYSQL *db) {
  query(db, "SET @mine = 1, sql_mode = 'ANSI_QUOTES'", true);
  printf("reset %d\n", mysql_reset_connection(db));
  query(db, "SELECT @mine, @@sql_mode LIKE '%ANSI_QUOTES%', DATABASE() IS NULL", true);
  query(db, "SET @mine = 2", true);
  printf("change user %d\n", mysql_change_user(db, user, password, database));
  query(db, "SELECT @mine", true);
  printf("change to nobody %d\n", mysql_change_user(db, "nobody_there", "x", database) != 0);
  printf("select database %d\n", mysql_select_db(db, "other"));
  query(db, "SELECT DATABASE()", true);
  printf("select no database %d %u\n", mysql_select_db(db, "not_there") != 0, mysql_errno(db));
  mysql_select_db(db, database);
  printf("character set %d %s\n", mysql_set_character_set(db, "latin1"), mysql_character_set_name(db));
  query(db, "SELECT 'Zo\xeb', HEX('\xeb'), @@character_set_client", true);
  mysql_set_character_set(db, "utf8mb4");
  printf("multi off %d\n", mysql_set_server_option(db, MYSQL_OPTION_MULTI_STATEMENTS_OFF));
  query(db, "SELECT 1; SELECT 2", true);
  printf("multi on %d\n", mysql_set_server_option(db, MYSQL_OPTION_MULTI_STATEMENTS_ON));
  query(db, "SELECT 1; SELECT 2; SELEC 3; SELECT 4", true);
  query(db, "DO 1; SET @x = 3; SELECT @x; INSERT INTO c_types (c0) VALUES (9); SELECT ROW_COUNT()", true);
  printf("ping %d, autocommit %d, commit %d, rollback %d\n", mysql_ping(db), mysql_autocommit(db, 0), mysql_commit(db),
         mysql_rollback(db));
  query(db, "UPDATE c_types SET c0 = 1 WHERE id = 1", true);
  mysql_rollback(db);
  mysql_autocommit(db, 1);
  query(db, "SELECT c0 FROM c_types WHERE id = 1", true);
  query(db, "CREATE OR REPLACE TABLE c_rows (id INT, t VARCHAR(20))", true);
  query(db, "LOAD DATA LOCAL INFILE 'rows.txt' INTO TABLE c_rows", true);
  query(db, "LOAD DATA LOCAL INFILE 'missing.txt' INTO TABLE c_rows", true);
  query(db, "SELECT * FROM c_rows ORDER BY id", false);
  query(db, "SELECT REPEAT('x', 20000000)", false);
  query(db, "SELECT a.id FROM c_types a, c_types b, nonsense", true);
  query(db, "SELECT 1/0, CAST('x' AS SIGNED)", true);
  query(db, "SHOW WARNINGS", true);
}

static void tracked(MYSQL *db) {
  static const char *const changes[] = {"USE other", "SET autocommit = 0", "SET autocommit = 1", "SET time_zone = '+02:00'",
                                        "SET NAMES latin1", "SET NAMES utf8mb4"};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    printf("%s:", changes[i]);
    if (mysql_query(db, changes[i])) error(db);
    for (int type = SESSION_TRACK_BEGIN; type <= SESSION_TRACK_END; type++) {
      const char *data;
      size_t length;
      int left = mysql_session_track_get_first(db, type, &data, &length);
      for (; left == 0; left = mysql_session_track_get_next(db, type, &data, &length))
        printf(" %d=%.*s", type, (int)length, data);
    }
    putchar('\n');
  }
  mysql_select_db(db, database);
}

static void everything(unsigned long flags, int compress, int tls) {
  printf("== flags %lu compression %d TLS %d\n", flags, compress, tls);
  MYSQL *db = connect_with(flags, compress, tls);
  if (tls) printf("cipher %d\n", mysql_get_ssl_cipher(db) != NULL);
  binary_types(db);
  typed_parameters(db);
  cursors(db, "SELECT seq, REPEAT('r', seq) FROM seq_1_to_30");
  statements_out_of_order(db);
  procedures(db);
  listed(db, "c_types", NULL);
  listed(db, "c_types", "c1%");
  listed(db, "missing", NULL);
  sessions(db);
  tracked(db);
  prepared_once(db, "SELECT nonsense");
  prepared_once(db, "SELECT 1; SELECT 2");
  mysql_close(db);
}

/* ---- tables that the proxy shards */

static void crud(void) {
  flag_mask = NOT_NULL_FLAG | UNSIGNED_FLAG | BLOB_FLAG | AUTO_INCREMENT_FLAG;
  status_mask = SERVER_STATUS_AUTOCOMMIT | SERVER_STATUS_IN_TRANS | SERVER_MORE_RESULTS_EXIST;
  MYSQL *db = connect_with(CLIENT_MULTI_STATEMENTS, 0, 0);
  query(db, "DROP TABLE IF EXISTS sharded_book", true);
  query(db, "DROP TABLE IF EXISTS sharded_author", true);
  query(db, "CREATE TABLE sharded_author (id BIGINT PRIMARY KEY, name VARCHAR(40) DEFAULT 'nobody', born DATE, price DECIMAL(10,2) NOT NULL DEFAULT 1.50)",
        true);
  query(db, "CREATE TABLE sharded_book (id BIGINT, author_id BIGINT NOT NULL, title VARCHAR(60), PRIMARY KEY (author_id, id))", true);
  listed(db, "sharded_author", NULL);
  MYSQL_STMT *insert = prepare(db, "INSERT INTO sharded_author (id, name, born, price) VALUES (?, ?, ?, ?)");
  if (insert) {
    long long id;
    char name[40];
    unsigned long length;
    MYSQL_TIME born = {1970, 1, 1, 0, 0, 0, 0, 0, MYSQL_TIMESTAMP_DATE};
    double price;
    MYSQL_BIND binds[4];
    memset(binds, 0, sizeof binds);
    binds[0] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_LONGLONG, .buffer = &id};
    binds[1] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_STRING, .buffer = name, .buffer_length = sizeof name, .length = &length};
    binds[2] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DATE, .buffer = &born};
    binds[3] = (MYSQL_BIND){.buffer_type = MYSQL_TYPE_DOUBLE, .buffer = &price};
    mysql_stmt_bind_param(insert, binds);
    for (id = 1; id <= 40; id++) {
      length = (unsigned long)sprintf(name, "author %lld", id % 10);
      born.day = (unsigned)(id % 28 + 1);
      price = (double)id * 1.25;
      if (mysql_stmt_execute(insert)) statement_error(insert);
    }
    printf("  affected %lld\n", (long long)mysql_stmt_affected_rows(insert));
    mysql_stmt_close(insert);
  }
  query(db, "INSERT INTO sharded_book SELECT id, id, CONCAT('book ', id) FROM sharded_author WHERE id < 20", true);
  query(db, "SELECT * FROM sharded_author WHERE id = 7", true);
  query(db, "SELECT * FROM sharded_author ORDER BY born DESC, id LIMIT 5", false);
  query(db, "SELECT name, COUNT(*), SUM(price), AVG(price) FROM sharded_author GROUP BY name ORDER BY name", true);
  prepared_once(db, "SELECT id, name, born, price FROM sharded_author WHERE id IN (3, 12, 25) ORDER BY id");
  prepared_once(db, "SELECT COUNT(*), MAX(born), SUM(price) FROM sharded_author");
  prepared_once(db, "SELECT a.name, b.title FROM sharded_author a JOIN sharded_book b ON b.author_id = a.id ORDER BY b.id LIMIT 3");
  cursors(db, "SELECT id, name FROM sharded_author ORDER BY id");
  query(db, "UPDATE sharded_author SET price = price + 1 WHERE name = 'author 3'; DELETE FROM sharded_author WHERE id > 35", true);
  query(db, "INSERT INTO sharded_author (id) VALUES (1)", true);
  query(db, "BEGIN; UPDATE sharded_author SET name = 'gone'; ROLLBACK; SELECT COUNT(DISTINCT name) FROM sharded_author", true);
  query(db, "SELECT nonsense FROM sharded_author", true);
  mysql_close(db);
}

int main(int count, char **arguments) {
  if (count != 7) return 2;
  host = arguments[1];
  port = (unsigned)atoi(arguments[2]);
  user = arguments[3];
  password = arguments[4];
  database = arguments[5];
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(arguments[6], "crud") == 0) {
    crud();
    return 0;
  }
  everything(CLIENT_MULTI_STATEMENTS, 0, 0);
  everything(CLIENT_MULTI_STATEMENTS | CLIENT_FOUND_ROWS, 1, 0);
  everything(CLIENT_MULTI_STATEMENTS, 1, 1);
  return 0;
}
