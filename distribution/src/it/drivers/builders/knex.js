'use strict';
// Knex: schema, migrations with their lock, queries, transactions, reflection.
const [host, port, user, password, database] = process.argv.slice(2);
const knex = require('knex')({ client: 'mysql2', connection: { host, port: Number(port), user, password, database }, pool: { min: 1, max: 4 } });

async function step(name, work) {
  try {
    const value = await work();
    console.log(name + ': ' + JSON.stringify(value));
  } catch (e) {
    console.log(name + ' failed: ' + e.code + ' ' + e.errno + ' ' + e.message);
  }
}

const migrations = {
  getMigrations: async () => ['one', 'two'],
  getMigrationName: (name) => name,
  getMigration: async (name) => ({
    up: (k) => name === 'one'
      ? k.schema.createTable('river', (t) => {
        t.bigIncrements('id'); t.string('name', 60).notNullable().unique(); t.decimal('length', 10, 3).defaultTo(0);
        t.json('more'); t.enu('side', ['left', 'right']).defaultTo('left'); t.timestamps(true, true); t.comment('rivers');
      }).createTable('branch', (t) => {
        t.increments('id'); t.bigInteger('river_id').unsigned().references('id').inTable('river').onDelete('CASCADE'); t.binary('raw'); t.index(['river_id', 'id'], 'branch_of');
      })
      : k.schema.alterTable('river', (t) => { t.string('mouth', 30).after('name'); t.renameColumn('length', 'kilometres'); t.index('mouth'); }),
    down: (k) => name === 'one' ? k.schema.dropTable('branch').dropTable('river') : k.schema.alterTable('river', (t) => { t.dropIndex('mouth'); t.dropColumn('mouth'); }),
  }),
};

(async () => {
  await step('migrated', async () => (await knex.migrate.latest({ migrationSource: migrations }))[1]);
  await step('again', async () => (await knex.migrate.latest({ migrationSource: migrations }))[1]);
  await step('listed', async () => (await knex.migrate.list({ migrationSource: migrations }))[0].map((m) => m.name));
  await step('version', () => knex.migrate.currentVersion({ migrationSource: migrations }));
  await step('has table', async () => [await knex.schema.hasTable('river'), await knex.schema.hasTable('no_river'), await knex.schema.hasColumn('river', 'mouth'), await knex.schema.hasColumn('river', 'length')]);
  await step('columns', () => knex('river').columnInfo());
  await step('insert', () => knex('river').insert([{ name: 'Elbe', kilometres: 1094 }, { name: "O'Hara 🌊", more: JSON.stringify({ a: [1, null] }) }]));
  await step('again the same', () => knex('river').insert({ name: 'Elbe' }));
  await step('ignored', () => knex('river').insert({ name: 'Elbe' }).onConflict('name').ignore());
  await step('merged', () => knex('river').insert({ name: 'Elbe', kilometres: 1100 }).onConflict('name').merge());
  await step('read', () => knex('river').select('id', 'name', 'kilometres', 'more', 'side').orderBy('id'));
  await step('batch', async () => (await knex.batchInsert('branch', Array.from({ length: 100 }, (_, i) => ({ river_id: 1, raw: Buffer.from([i, 0, 255]) })), 30)).length);
  await step('joined', () => knex('river as r').leftJoin('branch as b', 'b.river_id', 'r.id').groupBy('r.id', 'r.name').select('r.name').count({ n: 'b.id' }).max({ m: 'b.id' }).orderBy('r.id'));
  await step('window', () => knex('branch').select('id').rowNumber('n', (q) => q.orderBy('id', 'desc')).orderBy('id').limit(3));
  await step('with', () => knex.with('w', knex('branch').where('id', '<', 4)).select('*').from('w').orderBy('id'));
  await step('union', () => knex('river').select('id').union([knex('branch').select('id').where('id', '>', 98)]).orderBy('id'));
  await step('upsert', () => knex('branch').where('id', 1).update({ raw: null }));
  await step('increment', () => knex('river').where('name', 'Elbe').increment('kilometres', 1.5));
  await step('transaction', () => knex.transaction(async (t) => { await t('branch').del(); await t.transaction(async (s) => { await s('river').del(); throw new Error('inner'); }).catch((e) => e.message); throw new Error('outer'); }));
  await step('nothing lost', () => knex('branch').count({ n: '*' }));
  await step('locked', () => knex.transaction((t) => t('river').where('id', 1).forUpdate().noWait().pluck('name')));
  await step('stream', async () => { let n = 0; for await (const row of knex('branch').select().stream()) n += row.id; return n; });
  await step('raw', () => knex.raw('SELECT ?? FROM ?? WHERE id IN (?, ?) ORDER BY 1', ['name', 'river', 1, 2]).then((r) => [r[0], r[1].map((c) => [c.name, c.columnType, c.columnLength])]));
  await step('first', () => knex('river').first('name').where('more', 'like', '%null%'));
  await step('rename', async () => { await knex.schema.renameTable('branch', 'arm'); return knex.schema.hasTable('arm'); });
  await step('back', () => knex.schema.renameTable('arm', 'branch'));
  await step('view', async () => { await knex.schema.createView('v_river', (v) => { v.columns(['id']); v.as(knex('river').select('id')); }); return knex('v_river').count({ n: '*' }); });
  await step('no view', () => knex.schema.dropView('v_river'));
  await step('down', async () => (await knex.migrate.rollback({ migrationSource: migrations }, true))[1]);
  await step('left', async () => (await knex.raw('SHOW TABLES'))[0].map((r) => Object.values(r)[0]));
  await knex.destroy();
})();
