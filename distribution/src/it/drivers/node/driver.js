// Cases with mysql2; each prints what a client can see.
import mysql from 'mysql2/promise';

const [host, port, user, password, database] = process.argv.slice(2);
const base = { host, port: Number(port), user, password, database, timezone: 'Z' };

function text(value) {
  return JSON.stringify(value, (_, v) => {
    if (typeof v === 'bigint') return v.toString() + 'n';
    if (v && v.type === 'Buffer') return '0x' + Buffer.from(v.data).toString('hex');
    return v;
  });
}

function header(result) {
  const { affectedRows, insertId, warningStatus, changedRows, serverStatus } = result;
  // Where the server does not track sessions, mysql2 takes the length of this text for its first character.
  const info = (result.info ?? '').replace(/^.(?=Records: |Rows matched: )/, '');
  return text({ affectedRows, insertId, info, warningStatus, changedRows, serverStatus });
}

async function show(name, work) {
  try {
    const [result, fields] = await work();
    if (Array.isArray(result)) {
      console.log(name, 'rows', text(result));
      console.log(' ', (fields ?? []).flat().filter(Boolean).map((f) =>
        text([f.name, f.orgName, f.table, f.orgTable, f.schema, f.columnType, f.columnLength, f.flags, f.decimals, f.characterSet])).join('\n  '));
    } else {
      console.log(name, header(result));
    }
  } catch (e) {
    console.log(name, 'error', e.errno, e.sqlState, e.sqlMessage ?? e.message);
  }
}

async function cases(connection) {
  for (const way of ['query', 'execute']) {
    const run = (name, sql, values) => show(`${way} ${name}`, () => connection[way](sql, values));
    await run('drop', 'DROP TABLE IF EXISTS node_t');
    await run('create', `CREATE TABLE node_t (id BIGINT AUTO_INCREMENT PRIMARY KEY, u BIGINT UNSIGNED, d DECIMAL(30,10), f FLOAT, g DOUBLE,
      s VARCHAR(60), l VARCHAR(20) CHARACTER SET latin1, b BLOB, bits BIT(12), day DATE, t TIME(3), at DATETIME(6), ts TIMESTAMP(3) NULL,
      y YEAR, e ENUM('x','y'), st SET('p','q'), z INT(6) ZEROFILL, p POINT, c CHAR(5), txt LONGTEXT)`);
    await run('insert', `INSERT INTO node_t VALUES (1, 18446744073709551615, -1234567890.0123456789, 1.5, -2.25e100, 'Grüße 🌍', 'café',
      x'00ff', b'101010101010', '2024-02-29', '-12:34:56.789', '2024-02-29 23:59:59.123456', '2024-03-31 01:02:03.004', 1999, 'y', 'p,q', 42,
      POINT(1, 2), 'ab', REPEAT('long ', 5000))`);
    await run('insert values', 'INSERT INTO node_t (u, s, b, at) VALUES (?, ?, ?, ?)', ['7', 'it\'s "quoted" \\ \0', Buffer.from([0, 39, 92, 255]), new Date(Date.UTC(2024, 0, 2, 3, 4, 5))]);
    await run('insert many', "INSERT INTO node_t (s) VALUES ('a'), ('b'), (NULL)");
    await run('select', 'SELECT *, LENGTH(txt) AS len FROM node_t ORDER BY id');
    await run('select by', 'SELECT id, s FROM node_t WHERE s = ? OR b = ?', ['a', Buffer.from([0, 39, 92, 255])]);
    await run('nothing', 'SELECT id FROM node_t WHERE 1 = 0');
    await run('update', 'UPDATE node_t SET s = ? WHERE id > ?', ['same', 2]);
    await run('update again', 'UPDATE node_t SET s = ? WHERE id > ?', ['same', 2]);
    await run('duplicate', 'INSERT INTO node_t (id) VALUES (1)');
    await run('warning', "INSERT IGNORE INTO node_t (id, y) VALUES (1, 'x')");
    await run('show warnings', 'SHOW WARNINGS');
    await run('division', 'SELECT 1/0, CAST(? AS SIGNED)', ['12x']);
    await run('syntax', 'SELEC 1');
    await run('no table', 'SELECT * FROM nowhere');
    await run('variables', 'SELECT @@autocommit, @@sql_mode, DATABASE()');
    await run('variable', 'SET @v := ?', [5]);
    await run('variable read', 'SELECT @v + 1');
    await run('lock', "SELECT GET_LOCK('node', 1), RELEASE_LOCK('node')");
    await run('temporary', 'CREATE TEMPORARY TABLE node_tmp (a INT)');
    await run('temporary insert', 'INSERT INTO node_tmp VALUES (1), (2)');
    await run('temporary read', 'SELECT SUM(a) FROM node_tmp');
    await run('temporary drop', 'DROP TEMPORARY TABLE node_tmp');
  }
  await show('begin', async () => [await connection.beginTransaction() ?? { affectedRows: 0 }]);
  await show('delete', () => connection.query('DELETE FROM node_t'));
  await show('rollback', async () => [await connection.rollback() ?? { affectedRows: 0 }]);
  await show('count', () => connection.query('SELECT COUNT(*) AS n FROM node_t'));
  await show('procedure drop', () => connection.query('DROP PROCEDURE IF EXISTS node_p'));
  await show('procedure', () => connection.query('CREATE PROCEDURE node_p(IN a INT, OUT b INT) BEGIN SELECT a AS one; SELECT a + 1 AS two, 3 AS three; SET b = a * 2; END'));
  await show('call', () => connection.query('CALL node_p(20, @out)'));
  await show('call prepared', () => connection.execute('CALL node_p(?, @out)', [30]));
  await show('out', () => connection.query('SELECT @out'));
  await show('change user', async () => [await connection.changeUser({ user, password, database }) ?? { affectedRows: 0 }]);
  await show('variable is gone', () => connection.query('SELECT @v'));
  await show('ping', async () => [await connection.ping() && { affectedRows: 0 }]);
  await show('several', () => connection.query("SELECT 1 AS a; UPDATE node_t SET s = 'm' WHERE id = 1; SELECT 'b' AS b; SELEC"));
  await show('after', () => connection.query('SELECT 1 AS a'));
  const prepared = await connection.prepare('SELECT ? AS a, s FROM node_t WHERE id = ?');
  await show('prepared', () => prepared.execute([1, 1]));
  await show('prepared other types', () => prepared.execute(['text', '1']));
  await prepared.close();
  const rows = connection.connection.query('SELECT a.id FROM node_t a, node_t b, node_t c ORDER BY a.id, b.id').stream();
  let streamed = 0;
  for await (const _ of rows) streamed++;
  console.log('streamed', streamed);
}

const ways = {
  plain: {},
  'multiple statements': { multipleStatements: true },
  'found rows off': { flags: ['-FOUND_ROWS'] },
  compressed: { compress: true },
  tls: { ssl: { rejectUnauthorized: false } },
  'rows as arrays': { rowsAsArray: true, bigNumberStrings: true, supportBigNumbers: true, dateStrings: true },
  latin1: { charset: 'LATIN1_SWEDISH_CI' },
};
for (const [name, options] of Object.entries(ways)) {
  console.log('==', name);
  try {
    const connection = await mysql.createConnection({ ...base, ...options });
    await cases(connection);
    await connection.end();
  } catch (e) {
    console.log('failed', e.code, e.message);
  }
}
await show('wrong password', async () => [await mysql.createConnection({ ...base, password: 'wrong' })]);
