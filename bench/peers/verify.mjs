// Compares the responses of all peers to the same requests: node verify.mjs NAME=URL …
import assert from 'node:assert/strict';

const peers = process.argv.slice(2).map((pair) => pair.split(/=(.*)/s).slice(0, 2));
const { ANON_KEY, TOKEN } = process.env;

/** Method, path and headers of a request, as in requests.lua. */
function request(peer, kind, n) {
  const secured = peer.endsWith('_rls');
  const headers = { 'content-type': 'application/json' };
  if (secured) headers.authorization = `Bearer ${TOKEN}`;
  const suffix = secured ? '_rls' : '';
  if (peer.startsWith('dugout')) {
    headers.apikey = ANON_KEY;
    const items = `/rest/v1/peer_items${suffix}`;
    if (kind === 'key') return [`${items}?select=id,category,title&id=eq.${n}`, headers];
    if (kind === 'search') return [`${items}?select=id,title&words=plfts(english).${n}&order=id&limit=20`, headers];
    return [`/rest/v1/peer_log${suffix}`, headers];
  }
  if (peer.startsWith('fastify')) {
    const prefix = secured ? '/rls' : '/plain';
    const path = { key: `/items/${n}`, search: `/search?words=${n}`, insert: '/log' }[kind];
    return [prefix + path, headers];
  }
  const id = String(n).padStart(15, '0');
  if (kind === 'key') return [`/api/collections/items/records/${id}?fields=id,category,title`, headers];
  if (kind === 'insert') return ['/api/collections/log/records', headers];
  return undefined;
}

/** PocketBase returns one object, whose id is text. */
const rows = (peer, body) => (peer === 'pocketbase' ? [{ ...body, id: Number(body.id) }] : body);

for (const kind of ['key', 'search']) {
  for (const n of [1, 77_777, 100_000]) {
    let wanted;
    for (const [peer, url] of peers) {
      const asked = request(peer, kind, n);
      if (!asked) continue;
      const response = await fetch(url + asked[0], { headers: asked[1] });
      assert.equal(response.status, 200, `${peer} ${kind} ${n}: ${await response.clone().text()}`);
      const found = rows(peer, await response.json());
      assert.ok(found.length >= 1 && found.length <= 20, `${peer} ${kind} ${n}: ${found.length} rows`);
      wanted ??= found;
      assert.deepEqual(found, wanted, `${peer} ${kind} ${n}`);
    }
  }
}
for (const [peer, url] of peers) {
  const [path, headers] = request(peer, 'insert', 1);
  const body = JSON.stringify({ item: 1, text: 'a line in the log' });
  const response = await fetch(url + path, { method: 'POST', headers, body });
  assert.ok([200, 201].includes(response.status), `${peer} insert: ${response.status} ${await response.text()}`);
  if (peer.endsWith('_rls')) {
    const forged = { ...headers, authorization: `${headers.authorization.slice(0, -4)}AAAA` };
    const refused = await fetch(url + path, { method: 'POST', headers: forged, body });
    assert.ok(refused.status >= 400, `${peer} takes a forged token`);
  }
}
console.log(`verified: ${peers.map(([peer]) => peer).join(', ')} give the same rows`);
