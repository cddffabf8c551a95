"""Cases with PyMySQL and MySQL Connector/Python: prints what a program sees, to be compared between servers.

usage: cases.py HOST PORT USER PASSWORD DATABASE
"""

import datetime
import decimal
import hashlib
import os
import sys
import tempfile
import warnings

import mysql.connector
import pymysql

host, port, user, password, database = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
login = dict(host=host, port=port, user=user, password=password, database=database)

TABLE = """CREATE TABLE py_cases (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), price DECIMAL(12,4), ratio DOUBLE,
  born DATE, seen DATETIME(6), span TIME(3), doc JSON, raw LONGBLOB, flags BIT(10), kind ENUM('a','b'), sets SET('x','y'),
  big BIGINT UNSIGNED, UNIQUE KEY (name)) ENGINE=InnoDB"""

ROW = (
    "Zoë 🦆",
    decimal.Decimal("1234.5678"),
    2.5e-7,
    datetime.date(2024, 2, 29),
    datetime.datetime(2024, 2, 29, 23, 59, 59, 123456),
    datetime.timedelta(hours=-30, milliseconds=5),
    '{"k": [1, null]}',
    bytes(range(256)),
    b"\x02\x01",
    "b",
    "x,y",
    2**64 - 1,
)
COLUMNS = "name, price, ratio, born, seen, span, doc, raw, flags, kind, sets, big"
QUERIES = [
    "SELECT * FROM py_cases ORDER BY id",
    "SELECT COUNT(*), SUM(price), AVG(ratio), MAX(seen) FROM py_cases",
    "SELECT 1 AS one, NULL AS nothing, 'x' COLLATE utf8mb4_bin AS text, CAST(3 AS DECIMAL(5,2)) AS exact, NOW() > '2000-01-01'",
    "SELECT @@character_set_client, @@collation_connection, @@autocommit, @@sql_mode",
    "SELECT id FROM py_cases WHERE name = 'nobody'",
    "SELECT REPEAT('long', 50000)",
    "SHOW COLUMNS FROM py_cases",
    "SHOW VARIABLES LIKE 'character\\_set\\_client'",
]
ERRORS = [
    "SELECT nonsense FROM py_cases",
    "SELEC 1",
    "INSERT INTO py_cases (name) VALUES ('Zoë 🦆')",
    "SELECT * FROM py_no_table",
    "INSERT INTO py_cases (kind, name) VALUES ('c', 'kind')",
    "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'own', MYSQL_ERRNO = 5000",
]


def show(label, *values):
    texts = []
    for value in values:
        text = repr(value)
        texts.append(text if len(text) < 400 else f"{text[:80]}… {len(text)} {hash_of(value)}")
    print(label, *texts)


def hash_of(value):
    return hashlib.md5(repr(value).encode()).hexdigest()


def failing(label, errors, work):
    try:
        show(label, "no error", work())
    except errors as e:
        show(label, type(e).__name__, e.args[:2])


def cursors(label, connection, errors, cursor, mark="%s", **how):
    run = cursor(**how)
    run.execute("DROP TABLE IF EXISTS py_cases")
    run.execute(TABLE)
    values = ", ".join([mark] * len(ROW))
    run.execute(f"INSERT INTO py_cases ({COLUMNS}) VALUES ({values})", ROW)
    show(label + " insert", run.rowcount, run.lastrowid)
    run.executemany(f"INSERT INTO py_cases (name, price) VALUES ({mark}, {mark})", [("a", 1), ("b", 2), ("c", None)])
    show(label + " many", run.rowcount)
    run.execute(f"UPDATE py_cases SET price = price + 1 WHERE name IN ({mark}, {mark})", ("a", "b"))
    show(label + " update", run.rowcount)
    connection.commit()
    for sql in QUERIES:
        run.execute(sql)
        show(label + " " + sql[:50], run.description, run.fetchall(), run.rowcount)
    for sql in ERRORS:
        failing(label + " " + sql[:50], errors, lambda: run.execute(sql))
    run.execute(f"DELETE FROM py_cases WHERE name = {mark}", ("a",))
    show(label + " delete", run.rowcount)
    connection.rollback()
    run.execute("SELECT COUNT(*) FROM py_cases")
    show(label + " rolled back", run.fetchall())
    run.close()


def procedures(label, connection, cursor):
    run = cursor()
    run.execute("DROP PROCEDURE IF EXISTS py_proc")
    run.execute(
        "CREATE PROCEDURE py_proc (IN a INT, OUT b INT, INOUT c VARCHAR(20))"
        " BEGIN SELECT a, c; SELECT a + 1; SET b = a * 2; SET c = CONCAT(c, '!'); END"
    )
    show(label + " callproc", run.callproc("py_proc", (5, 0, "hi")))
    if hasattr(run, "stored_results"):
        show(label + " results", [each.fetchall() for each in run.stored_results()])
    else:
        results = [run.fetchall()]
        while run.nextset():
            results.append(run.fetchall())
        run.execute("SELECT @_py_proc_0, @_py_proc_1, @_py_proc_2")
        show(label + " results", results, run.fetchall())
    run.execute("DROP PROCEDURE py_proc")
    run.close()


def file(label, connection, cursor):
    run = cursor()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", delete=False) as data:
        for i in range(3000):
            data.write(f"file {i}\t{i}.5\n")
    run.execute(f"LOAD DATA LOCAL INFILE '{data.name}' INTO TABLE py_cases (name, price)")
    show(label + " file", run.rowcount)
    os.unlink(data.name)
    run.execute("SELECT COUNT(*), SUM(price) FROM py_cases WHERE name LIKE 'file%'")
    show(label + " loaded", run.fetchall())
    connection.rollback()
    run.close()


def with_pymysql(label, **options):
    connection = pymysql.connect(**login, local_infile=True, **options)
    errors = (pymysql.MySQLError, Warning)
    cursors(label, connection, errors, connection.cursor)
    cursors(label + " dict", connection, errors, lambda: connection.cursor(pymysql.cursors.DictCursor))
    cursors(label + " unbuffered", connection, errors, lambda: connection.cursor(pymysql.cursors.SSCursor))
    procedures(label, connection, connection.cursor)
    file(label, connection, connection.cursor)
    failing(label + " other database", errors, lambda: connection.select_db("other"))
    connection.select_db(database)
    connection.autocommit(True)
    show(label + " autocommit", connection.get_autocommit(), connection.charset)
    connection.ping()
    connection.set_character_set("latin1")
    run = connection.cursor()
    run.execute("SELECT 'é', @@character_set_results")
    show(label + " latin1", run.fetchall())
    run.execute("INSERT IGNORE INTO py_cases (price, name) VALUES ('x', 'warns')")
    run.execute("SHOW WARNINGS")
    show(label + " warnings", run.fetchall())
    connection.close()


def with_connector(label, **options):
    connection = mysql.connector.connect(**login, allow_local_infile=True, **options)
    errors = (mysql.connector.Error,)
    cursors(label, connection, errors, connection.cursor, buffered=True)
    cursors(label + " prepared", connection, errors, connection.cursor, prepared=True, mark="%s")
    procedures(label, connection, connection.cursor)
    file(label, connection, connection.cursor)
    show(label + " state", connection.in_transaction, connection.autocommit, connection.charset, connection.collation)
    run = connection.cursor()
    run.execute("SELECT 1; SELECT 2 AS two; UPDATE py_cases SET price = 3 WHERE name = 'b'")
    show(label + " several", run.fetchall())
    while run.nextset():
        show(label + " several", run.description, run.fetchall() if run.with_rows else run.rowcount)
    run.close()
    connection.rollback()
    for name in ("other", database):
        # the driver refuses it over compressed connections
        failing(label + " changed user", errors, lambda: connection.cmd_change_user(user, password, name))
        show(label + " database", connection.database)
    connection.cmd_reset_connection()
    connection.ping(reconnect=False)
    connection.autocommit = True
    show(label + " autocommit", connection.autocommit)
    connection.get_warnings = True
    run = connection.cursor()
    run.execute("INSERT IGNORE INTO py_cases (price, name) VALUES ('x', 'warns')")
    show(label + " warnings", run.warnings)
    connection.close()


warnings.simplefilter("ignore")
with_pymysql("pymysql")
with_pymysql("pymysql/tls", ssl={"check_hostname": False, "verify_mode": False})
failing(
    "pymysql/denied",
    pymysql.MySQLError,
    lambda: pymysql.connect(**{**login, "password": "wrong"}),
)
with_connector("connector", use_pure=True, ssl_disabled=True)
with_connector("connector/tls", use_pure=True, ssl_verify_cert=False)
with_connector("connector/compressed", use_pure=True, ssl_disabled=True, compress=True)
failing(
    "connector/denied",
    mysql.connector.Error,
    lambda: mysql.connector.connect(**{**login, "password": "wrong"}, use_pure=True),
)
