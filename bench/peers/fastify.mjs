// A hand-written service to compare with: Fastify and pg with prepared statements, a pool of ten connections, and
// serializers made from schemas.
//   PORT=… DATABASE_URL=… AUTHENTICATOR_URL=… JWT_SECRET=… node fastify.mjs
// /plain/… uses tables without row level security. /rls/… verifies the token and sets role and claims in each transaction.
import { createVerifier } from 'fast-jwt';
import Fastify from 'fastify';
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const plain = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const rls = new pg.Pool({ connectionString: process.env.AUTHENTICATOR_URL, max: 10 });
const verify = createVerifier({ key: process.env.JWT_SECRET, cache: 1000 });

const row = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
const item = { ...row, properties: { ...row.properties, category: { type: 'integer' } } };
const list = (items) => ({ schema: { response: { 200: { type: 'array', items } } } });

const statements = (table, log) => ({
  key: { name: `key_${table}`, text: `select id, category, title from public.${table} where id = $1` },
  search: {
    name: `search_${table}`,
    text: `select id, title from public.${table} where words @@ plainto_tsquery('english', $1) order by id limit 20`,
  },
  insert: { name: `insert_${log}`, text: `insert into public.${log} (item, text) values ($1, $2)` },
});

const SETTINGS = {
  name: 'settings',
  text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
};

/** Runs a statement in a transaction as the token's role. */
async function asCaller(request, statement, values) {
  const claims = verify(request.headers.authorization.slice('Bearer '.length));
  const client = await rls.connect();
  try {
    await client.query('begin');
    await client.query({ ...SETTINGS, values: [claims.role, JSON.stringify(claims)] });
    const found = await client.query({ ...statement, values });
    await client.query('commit');
    return found.rows;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const directly = async (_, statement, values) => (await plain.query({ ...statement, values })).rows;

const app = Fastify();
function serve(prefix, run, { key, search, insert }) {
  app.get(`/${prefix}/items/:id`, list(item), (request) => run(request, key, [request.params.id]));
  app.get(`/${prefix}/search`, list(row), (request) => run(request, search, [request.query.words]));
  app.post(`/${prefix}/log`, async (request, reply) => {
    await run(request, insert, [request.body.item, request.body.text]);
    reply.code(201).send();
  });
}
serve('plain', directly, statements('peer_items', 'peer_log'));
serve('rls', asCaller, statements('peer_items_rls', 'peer_log_rls'));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
