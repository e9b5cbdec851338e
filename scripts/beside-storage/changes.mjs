// Signed URLs, lists, copies, moves and deletions.

const signed = (add) => {
  for (const [n, body] of [{ expiresIn: 60 }, { expiresIn: 0 }, { expiresIn: -1 }, { expiresIn: 'x' }, { expiresIn: '60' }, {}, { expiresIn: 1.5 }, { expiresIn: 60, transform: {} },
    { expiresIn: 60, transform: { width: 10 } }, { expiresIn: 60, transform: { width: 'x' } }, { expiresIn: 60, more: 1 }].entries()) {
    add(`sign with ${JSON.stringify(body)}`, 'POST', '/object/sign/pub/a.txt', { json: body, keep: { [`signed${n}`]: (answer) => answer.json?.signedURL } })
  }
  add('sign nothing', 'POST', '/object/sign/pub/none', { json: { expiresIn: 60 } })
  add('sign in no bucket', 'POST', '/object/sign/none/a', { json: { expiresIn: 60 } })
  add('sign as anon', 'POST', '/object/sign/pub/a.txt', { as: 'anon', json: { expiresIn: 60 } })
  add('sign a name with spaces', 'POST', '/object/sign/o/sp%20ace', { json: { expiresIn: 60 }, keep: { spaced: (answer) => answer.json?.signedURL } })
  for (const [name, path] of [['url', (kept) => kept.signed0], ['download', (kept) => `${kept.signed0}&download=x`], ['spaced', (kept) => kept.spaced && encodeURI(kept.spaced)],
    ['other key', (kept) => kept.signed0?.replace('a.txt', 'b.txt')], ['cut', (kept) => kept.signed0?.slice(0, -3)], ['no token', () => '/object/sign/pub/a.txt'],
    ['bad token', () => '/object/sign/pub/a.txt?token=x'], ['empty token', () => '/object/sign/pub/a.txt?token=']]) {
    add(`signed ${name}`, 'GET', path, { as: 'none' })
  }
  add('head of a signed URL', 'HEAD', (kept) => kept.signed0, { as: 'none' })
  for (const body of [{ expiresIn: 60, paths: ['a.txt', 'none'] }, { expiresIn: 60, paths: [] }, { expiresIn: 60 }, { paths: ['a.txt'] }, { expiresIn: 60, paths: 'a.txt' }, { expiresIn: 60, paths: [5] },
    { expiresIn: 60, paths: ['a.txt', 'a.txt'] }]) {
    add(`sign many ${JSON.stringify(body)}`, 'POST', '/object/sign/pub', { json: body })
  }
  add('sign an upload', 'POST', '/object/upload/sign/o/up.txt', { json: {}, keep: { upload: (answer) => answer.json?.url } })
  add('sign an upload over one', 'POST', '/object/upload/sign/o/a.txt', { json: {} })
  add('sign an upsert', 'POST', '/object/upload/sign/o/a.txt', { headers: { 'x-upsert': 'true' }, json: {} })
  add('sign an upload with a bad name', 'POST', '/object/upload/sign/o/%C3%A9', { json: {} })
  add('sign an upload to nowhere', 'POST', '/object/upload/sign/none/x', { json: {} })
  add('sign an upload as anon', 'POST', '/object/upload/sign/o/anon.txt', { as: 'anon', json: {} })
  add('signed upload', 'PUT', (kept) => kept.upload, { as: 'none', headers: { 'content-type': 'text/plain' }, body: 'up' })
  add('signed upload again', 'PUT', (kept) => kept.upload, { as: 'none', headers: { 'content-type': 'text/plain' }, body: 'up' })
  add('signed upload elsewhere', 'PUT', (kept) => kept.upload?.replace('up.txt', 'ap.txt'), { as: 'none', body: 'up' })
  add('signed upload without a token', 'PUT', '/object/upload/sign/o/up.txt', { as: 'none', body: 'up' })
  add('read with an upload token', 'GET', (kept) => kept.upload?.replace('/upload', ''), { as: 'none' })
}

const lists = (add) => {
  for (const body of [{ prefix: '' }, {}, { prefix: 'd' }, { prefix: 'd/' }, { prefix: 'none' }, { prefix: '', limit: 2 }, { prefix: '', limit: 0 }, { prefix: '', limit: -1 }, { prefix: '', limit: 'x' },
    { prefix: '', offset: 1 }, { prefix: '', offset: -1 }, { prefix: '', search: 'a' }, { prefix: '', search: 'FORM' }, { prefix: '', search: '%' }, { prefix: '', sortBy: { column: 'name', order: 'desc' } },
    { prefix: '', sortBy: { column: 'created_at', order: 'asc' } }, { prefix: '', sortBy: { column: 'x' } }, { prefix: '', sortBy: { column: 'name', order: 'up' } }, { prefix: 5 }, { prefix: null }, { prefix: '', sortBy: {} },
    { prefix: '', sortBy: { column: 'last_accessed_at' }, limit: 1 }]) {
    add(`list ${JSON.stringify(body)}`, 'POST', '/object/list/o', { json: body })
  }
  add('list of no bucket', 'POST', '/object/list/none', { json: { prefix: '' } })
  add('list as anon', 'POST', '/object/list/o', { as: 'anon', json: { prefix: '' } })
  for (const body of [{}, { prefix: 'd' }, { prefix: 'd/', with_delimiter: true }, { with_delimiter: true }, { limit: 3 }, { limit: 0 }, { limit: 5000 }, { limit: 'x' }, { cursor: 'x' }, { cursor: '' },
    { sortBy: { column: 'name', order: 'desc' } }, { sortBy: { column: 'created_at' }, limit: 2 }, { sortBy: { column: 'updated_at', order: 'desc' } }, { sortBy: { column: 'x' } }, { with_delimiter: 'x' }, { prefix: 5 }]) {
    add(`list-v2 ${JSON.stringify(body)}`, 'POST', '/object/list-v2/o', { json: body })
  }
  add('list-v2, first page', 'POST', '/object/list-v2/o', { json: { limit: 4, with_delimiter: true }, keep: { cursor: (answer) => answer.json?.nextCursor } })
  add('list-v2, second page', 'POST', '/object/list-v2/o', { json: (kept) => ({ limit: 4, with_delimiter: true, cursor: kept.cursor }) })
  add('list-v2 of no bucket', 'POST', '/object/list-v2/none', { json: {} })
}

const moves = (add) => {
  const names = (sourceKey, destinationKey, more = {}) => ({ bucketId: 'o', sourceKey, destinationKey, ...more })
  for (const way of ['copy', 'move']) {
    for (const [n, body] of [names('a.txt', `${way}1`), names('a.txt', 'put.txt'), names('none', 'x'), names('a.txt', '%C3%A9é'), names('put.txt', 'put.txt'), {}, names('a.txt', ''), names('', 'x'), names(5, 'n5'),
      names(`${way}1`, `${way}2`, { destinationBucket: 'two' }), names('put.txt', 'x', { destinationBucket: 'none' }), { ...names('a', 'b'), bucketId: 'none' }, names('put.txt', `${way}3`, { destinationBucket: '' }),
      names('d/e.txt', `${way}4`, { copyMetadata: false, metadata: { cacheControl: 'no-store', mimetype: 'a/b' } }), names('d/e.txt', `${way}5`, { metadata: 5 })].entries()) {
      add(`${way} ${n} ${JSON.stringify(body)}`, 'POST', `/object/${way}`, { json: body })
    }
    add(`${way} as anon`, 'POST', `/object/${way}`, { as: 'anon', json: names('a.txt', 'anon') })
  }
  add('copy over', 'POST', '/object/copy', { headers: { 'x-upsert': 'true' }, json: names('type0', 'type1') })
  add('the copy', 'GET', '/object/info/o/copy4')
}

const deletions = (add) => {
  for (const body of [{}, { prefixes: [] }, { prefixes: ['none'] }, { prefixes: ['meta0', 'none', 'meta1'] }, { prefixes: 'meta2' }, { prefixes: [5] }, { prefixes: null }, { prefixes: ['d'] }]) {
    add(`delete ${JSON.stringify(body)}`, 'DELETE', '/object/o', { json: body })
  }
  add('delete in no bucket', 'DELETE', '/object/none', { json: { prefixes: ['x'] } })
  add('delete as anon', 'DELETE', '/object/o', { as: 'anon', json: { prefixes: ['a.txt'] } })
  add('delete one', 'DELETE', '/object/o/meta4')
  add('delete one again', 'DELETE', '/object/o/meta4')
  add('delete one as anon', 'DELETE', '/object/o/type1', { as: 'anon' })
  add('delete one in no bucket', 'DELETE', '/object/none/x')
  add('delete a full bucket', 'DELETE', '/bucket/o')
  add('empty a full bucket', 'POST', '/bucket/two/empty', { json: {} })
  add('delete an emptied bucket', 'DELETE', '/bucket/two')
}

export const changeCases = (add) => {
  signed(add)
  lists(add)
  moves(add)
  deletions(add)
}
