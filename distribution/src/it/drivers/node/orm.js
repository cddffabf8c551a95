// Cases with Sequelize: schema, migrations, reading and writing, pages, transactions, generated keys.
import { DataTypes, Op, Sequelize, fn, col } from 'sequelize';

const [host, port, user, password, database, which] = process.argv.slice(2);
const db = new Sequelize(database, user, password, { host, port: Number(port), dialect: 'mysql', logging: false, timezone: '+00:00', pool: { max: 3 } });

async function show(name, work) {
  try {
    console.log(name, JSON.stringify(await work()));
  } catch (e) {
    const cause = e.original ?? e;
    console.log(name, 'error', e.name, cause.errno, cause.sqlState, which === 'all' ? cause.sqlMessage : '');
  }
}

const plain = { timestamps: false, freezeTableName: true };
const Author = db.define('sharded_author', { id: { type: DataTypes.BIGINT, primaryKey: true }, name: DataTypes.STRING(100), born: DataTypes.DATE(3), details: DataTypes.TEXT }, plain);
const Book = db.define('sharded_book', {
  author_id: { type: DataTypes.BIGINT, primaryKey: true }, number: { type: DataTypes.INTEGER, primaryKey: true }, title: DataTypes.STRING, price: DataTypes.DECIMAL(10, 2) }, plain);
Author.hasMany(Book, { foreignKey: 'author_id', constraints: false });
Book.belongsTo(Author, { foreignKey: 'author_id', constraints: false });

async function crud() {
  await show('drop', async () => { await Book.drop(); await Author.drop(); });
  await show('sync', async () => { await Author.sync(); await Book.sync(); });
  for (let id = 1; id <= 20; id++) {
    await show('create', () => Author.create({ id, name: `author ${id % 7}`, born: new Date(Date.UTC(1970, 0, id)), details: 'd'.repeat(id) }));
  }
  await show('bulk', () => Book.bulkCreate(Array.from({ length: 60 }, (_, i) => ({ author_id: 1 + (i % 20), number: 1 + Math.floor(i / 20), title: `book ${i}`, price: i + 0.25 }))));
  for (let page = 0; page < 3; page++) {
    await show('page', () => Author.findAndCountAll({ order: [['name', 'DESC'], ['id', 'ASC']], limit: 6, offset: page * 6 }));
  }
  await show('include', () => Author.findAll({ include: Book, where: { id: [3, 4] }, order: [['id', 'ASC'], [Book, 'number', 'ASC']] }));
  await show('join', () => Book.findAll({ include: { model: Author, required: true }, where: { price: { [Op.gt]: 50 } }, order: [['price', 'ASC']] }));
  await show('group', () => Author.findAll({ attributes: ['name', [fn('COUNT', col('id')), 'n'], [fn('MAX', col('born')), 'last']], group: ['name'], order: ['name'] }));
  await show('sum', () => Book.sum('price'));
  await show('max', () => Book.max('price'));
  await show('count', () => Book.count({ where: { number: { [Op.between]: [1, 2] } } }));
  await show('update', () => Author.update({ name: 'changed' }, { where: { id: 5 } }));
  await show('update many', () => Book.update({ title: 'first' }, { where: { number: 1 } }));
  await show('increment', () => Book.increment({ price: 1 }, { where: { author_id: 2 } }).then(() => Book.findAll({ where: { author_id: 2 }, order: ['number'] })));
  await show('upsert', () => Author.upsert({ id: 5, name: 'again' }).then(() => Author.findByPk(5)));
  await show('transaction', () => db.transaction(async (t) => {
    await Author.create({ id: 100, name: 'in' }, { transaction: t });
    await Book.create({ author_id: 100, number: 1, price: 1 }, { transaction: t });
    return Author.count({ transaction: t });
  }));
  await show('undone', () => db.transaction(async (t) => {
    await Book.destroy({ where: {}, transaction: t });
    throw new Error('undone');
  }));
  await show('books', () => Book.count());
  await show('duplicate', () => Author.create({ id: 5, name: 'twice' }));
  await show('destroy', () => Author.destroy({ where: { id: { [Op.gt]: 10 } } }));
  await show('left', () => Author.findAll({ attributes: ['id', 'name'], order: ['id'], raw: true }));
}

async function migrations() {
  const q = db.getQueryInterface();
  await show('drop', () => q.dropTable('node_notes'));
  await show('create table', () => q.createTable('node_notes', {
    id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true }, text: { type: DataTypes.STRING(50), allowNull: false, unique: true }, done: { type: DataTypes.BOOLEAN, defaultValue: false } }));
  await show('add column', () => q.addColumn('node_notes', 'extra', { type: DataTypes.JSON }));
  await show('change column', () => q.changeColumn('node_notes', 'text', { type: DataTypes.STRING(80), allowNull: false }));
  await show('add index', () => q.addIndex('node_notes', ['done', 'text'], { name: 'by_done' }));
  await show('rename column', () => q.renameColumn('node_notes', 'done', 'ready'));
  await show('describe', () => q.describeTable('node_notes'));
  await show('indexes', () => q.showIndex('node_notes'));
  await show('tables', async () => (await q.showAllTables()).filter((t) => t.startsWith('node_')));
  const Note = db.define('node_notes', { text: DataTypes.STRING(80), ready: DataTypes.BOOLEAN, extra: DataTypes.JSON }, plain);
  for (const text of ['a', 'b', 'c']) await show('create', () => Note.create({ text, extra: { k: [text] } }));
  await show('bulk', () => Note.bulkCreate([{ text: 'd' }, { text: 'e' }]));
  await show('duplicate', () => Note.create({ text: 'a' }));
  await show('all', () => Note.findAll({ order: ['id'] }));
  await show('nested', () => db.transaction(async (t) => {
    await Note.create({ text: 'kept' }, { transaction: t });
    try {
      await db.transaction({ transaction: t }, async (inner) => { await Note.create({ text: 'gone' }, { transaction: inner }); throw new Error('inner'); });
    } catch (e) { console.log('inner', e.message); }
  }));
  await show('isolated', () => db.transaction({ isolationLevel: 'SERIALIZABLE' }, (t) => Note.count({ transaction: t, lock: t.LOCK.UPDATE })));
  await show('remove', () => q.removeColumn('node_notes', 'extra'));
  await show('drop', () => q.dropTable('node_notes'));
}

await crud();
if (which === 'all') await migrations();
await db.close();
