'use strict';
// TypeORM: synchronize (reads the whole catalogue and compares), migrations, relations, query builder, transactions.
require('reflect-metadata');
const { DataSource, EntitySchema } = require('typeorm');
const [host, port, username, password, database] = process.argv.slice(2);

const River = (more) => new EntitySchema({
  name: 'River', tableName: 'river',
  columns: {
    id: { type: 'bigint', primary: true, generated: true }, name: { type: 'varchar', length: 60, unique: true },
    length: { type: 'decimal', precision: 10, scale: 3, default: 0 }, side: { type: 'enum', enum: ['left', 'right'], default: 'left' },
    more: { type: 'json', nullable: true }, told: { type: 'datetime', precision: 6, createDate: true }, version: { type: 'int', version: true }, ...more,
  },
  indices: [{ columns: ['length'] }],
  relations: { branches: { type: 'one-to-many', target: 'Branch', inverseSide: 'river', cascade: true }, tags: { type: 'many-to-many', target: 'Tag', joinTable: true, cascade: true } },
});
const Branch = new EntitySchema({
  name: 'Branch', tableName: 'branch',
  columns: { id: { type: 'int', primary: true, generated: true }, raw: { type: 'varbinary', length: 20, nullable: true }, full: { type: 'boolean', default: true } },
  relations: { river: { type: 'many-to-one', target: 'River', inverseSide: 'branches', onDelete: 'CASCADE' } },
});
const Tag = new EntitySchema({ name: 'Tag', tableName: 'tag', columns: { id: { type: 'varchar', primary: true, length: 36, generated: 'uuid' }, word: { type: 'varchar', charset: 'utf8mb4', collation: 'utf8mb4_bin' } } });
class Seasons1700000000000 {
  async up(q) { await q.query('CREATE TABLE season (id INT PRIMARY KEY, name VARCHAR(20))'); await q.query("INSERT INTO season VALUES (1, 'spring')"); }
  async down(q) { await q.query('DROP TABLE season'); }
}
const options = (more) => ({ type: 'mysql', host, port: Number(port), username, password, database, entities: [River(more), Branch, Tag], migrations: [Seasons1700000000000], poolSize: 4 });

async function step(name, work) {
  try {
    console.log(name + ': ' + JSON.stringify(await work()));
  } catch (e) {
    console.log(name + ' failed: ' + e.code + ' ' + e.errno + ' ' + e.message);
  }
}
const shown = (sql) => sql.upQueries.map((q) => q.query);

(async () => {
  const first = new DataSource(options({}));
  await first.initialize();
  await step('to be made', async () => shown(await first.driver.createSchemaBuilder().log()));
  await step('made', () => first.synchronize());
  await step('nothing to change', async () => shown(await first.driver.createSchemaBuilder().log()));
  await step('migrated', async () => (await first.runMigrations()).map((m) => m.name));
  await step('pending', () => first.showMigrations());
  const rivers = first.getRepository('River');
  await step('saved', async () => {
    const r = await rivers.save({ name: 'Elbe 🌊', length: '1094.5', more: { a: [1, null, 'x'] }, branches: [{ raw: Buffer.from([0, 255]) }, {}], tags: [{ word: 'long' }, { word: 'cold' }] });
    return [r.id, r.version, r.branches.map((b) => b.id), r.tags.length];
  });
  await step('many', async () => (await rivers.save(Array.from({ length: 30 }, (_, i) => ({ name: 'r' + i, length: i })), { chunk: 10 })).length);
  await step('found', () => rivers.find({ where: { name: 'Elbe 🌊' }, relations: { branches: true, tags: true }, order: { branches: { id: 'ASC' } } }).then((l) => l.map((r) => [r.id, r.length, r.more, r.branches, r.tags.map((t) => t.word).sort(), r.told instanceof Date])));
  await step('counted', () => rivers.findAndCount({ order: { id: 'DESC' }, skip: 5, take: 3, select: { id: true, name: true } }));
  await step('paged with relations', () => rivers.find({ relations: { branches: true }, order: { id: 'ASC' }, take: 2 }).then((l) => l.map((r) => [r.id, r.branches.length])));
  await step('built', () => rivers.createQueryBuilder('r').leftJoin('r.branches', 'b').select('r.side', 'side').addSelect('COUNT(b.id)', 'n').addSelect('AVG(r.length)', 'a').groupBy('r.side').getRawMany());
  await step('subquery', () => rivers.createQueryBuilder('r').where((q) => 'r.id IN ' + q.subQuery().select('b.riverId').from('Branch', 'b').getQuery()).getCount());
  await step('a version more', async () => { const r = await rivers.findOneBy({ id: 1 }); r.side = 'right'; return (await rivers.save(r)).version; });
  await step('upserted', () => rivers.upsert([{ name: 'r1', length: '99' }], ['name']).then((r) => r.raw.affectedRows));
  await step('twice', () => rivers.insert({ name: 'r1' }));
  await step('rolled back', () => first.transaction(async (m) => { await m.delete('Branch', {}); throw new Error('no'); }));
  await step('kept', () => first.getRepository('Branch').count());
  await step('serializable', () => first.transaction('SERIALIZABLE', (m) => m.query('SELECT @@transaction_isolation v').catch(() => m.query('SELECT @@tx_isolation v'))));
  await step('locked', () => first.transaction((m) => m.findOne('River', { where: { id: 1 }, lock: { mode: 'pessimistic_write' } }).then((r) => r.name)));
  await step('catalogue', async () => { const q = first.createQueryRunner(); const t = await q.getTable('river'); const r = [t.columns.map((c) => [c.name, c.type, c.length, c.default]), t.indices.map((i) => i.columnNames), t.uniques.length, await q.hasColumn('river', 'side'), await q.hasTable('none'), await q.getCurrentDatabase()]; await q.release(); return r; });
  await first.destroy();
  const second = new DataSource(options({ mouth: { type: 'varchar', length: 30, nullable: true }, side: { type: 'enum', enum: ['left', 'right', 'both'], default: 'both' } }));
  await second.initialize();
  await step('to be changed', async () => shown(await second.driver.createSchemaBuilder().log()));
  await step('changed', () => second.synchronize());
  await step('and nothing left', async () => shown(await second.driver.createSchemaBuilder().log()));
  await step('undone', () => second.undoLastMigration());
  await step('streamed', async () => { let n = 0; const s = await second.getRepository('River').createQueryBuilder('r').stream(); for await (const row of s) n++; return n; });
  await step('dropped', async () => { await second.dropDatabase(); return (await second.query('SHOW TABLES')).length; });
  await second.destroy();
})();
