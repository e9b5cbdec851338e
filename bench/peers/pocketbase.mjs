// Makes the collections of a PocketBase and fills them: node pocketbase.mjs URL EMAIL PASSWORD
// Everybody may read and create, as in the tables without row level security.
const [url, identity, password] = process.argv.slice(2);

async function send(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const { token } = await send('/api/collections/_superusers/auth-with-password', { identity, password });
const rules = { type: 'base', viewRule: '', listRule: '', createRule: '' };
const number = (name) => ({ name, type: 'number' });
const text = (name) => ({ name, type: 'text' });
await send('/api/collections', { ...rules, name: 'items', fields: [number('category'), text('title')] }, token);
await send('/api/collections', { ...rules, name: 'log', fields: [number('item'), text('text')] }, token);

const { createHash } = await import('node:crypto');
let next = 1;
async function fill() {
  for (let n = next++; n <= 100_000; n = next++) {
    const lot = 1 + (n % 2000);
    const title = `item ${n} of lot ${lot}, ${createHash('md5').update(String(n)).digest('hex')}`;
    await send('/api/collections/items/records', { id: String(n).padStart(15, '0'), category: lot, title });
  }
}
await Promise.all(Array.from({ length: 16 }, fill));
