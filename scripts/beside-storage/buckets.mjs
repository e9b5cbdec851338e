// Requests to /bucket, and those that are refused before any route looks at them.

export const bucketCases = (add) => {
  const names = [
    'b', 'B.1', 'with space', "it's!", 'a_b-c', 'é', 'a/b', '', ' lead', 'trail ', 'x'.repeat(100), 'x'.repeat(101), 'a#b', 'a?b', 'a%b',
    '.', '..', 'a--table-s3', '*', '(x)', 'a&b=c', 'a@b:c,d+e', 'a;b', '$', 'a\\b', 'a"b', 'a\tb',
  ]
  for (const name of names) add(`create bucket ${JSON.stringify(name).slice(0, 24)}`, 'POST', '/bucket', { json: { name } })
  add('create bucket again', 'POST', '/bucket', { json: { name: 'b' } })
  const limits = [0, 1, '20MB', '1.5kb', '3B', '10GB', 'x', -1, 1.5, null, '12', true, {}, '5 MB']
  limits.forEach((file_size_limit, n) => add(`limit ${JSON.stringify(file_size_limit)}`, 'POST', '/bucket', { json: { name: `l${n}`, file_size_limit } }))
  const types = [[], ['image/*'], ['*'], ['image'], [''], ['a/b; charset=x'], 'image/png', null, 5, ['x'.repeat(1001)], [null], [['a']]]
  types.forEach((allowed_mime_types, n) => add(`types ${JSON.stringify(allowed_mime_types).slice(0, 20)}`, 'POST', '/bucket', { json: { name: `t${n}`, allowed_mime_types } }))
  for (const [n, body] of [{}, { id: 'x' }, { name: null }, { name: 5 }, { name: 'p1', public: 'true' }, { name: 'p2', public: 'yes' },
    { name: 'p3', public: 1 }, { name: 'ty', type: 'STANDARD' }, { name: 'vc', type: 'VECTOR' }, { name: 'named', id: 'other' },
    { name: 'more', unknown: 1 }].entries()) {
    add(`create bucket with ${JSON.stringify(body)}`, 'POST', '/bucket', { json: body })
    if (n === 0) add('create bucket of an array', 'POST', '/bucket', { json: [] })
  }
  for (const [name, type, body] of [['no JSON', 'application/json', '{'], ['empty JSON', 'application/json', ''], ['text', 'text/plain', 'x'],
    ['no type', undefined, '{"name":"z"}'], ['form', 'application/x-www-form-urlencoded', 'name=z'], ['null', 'application/json', 'null'],
    ['string', 'application/json', '"x"'], ['wrong type', 'x', '{}']]) {
    add(`create bucket of ${name}`, 'POST', '/bucket', { headers: type ? { 'content-type': type } : {}, body })
  }
  for (const query of ['', '?limit=1', '?limit=0', '?limit=-1', '?limit=x', '?offset=1', '?offset=-1', '?sortColumn=name', '?sortColumn=id&sortOrder=desc', '?sortColumn=x',
    '?sortOrder=up', '?search=b', '?search=%25', '?search=_', '?limit=2&offset=1&sortColumn=name&sortOrder=asc', '?unknown=1', '?limit=1&limit=2']) {
    add(`list buckets ${query}`, 'GET', `/bucket${query}`)
  }
  for (const as of ['anon', 'user', 'none', 'bad', 'expired', 'unsigned', 'foreign', 'basic']) {
    add(`list buckets as ${as}`, 'GET', '/bucket', { as })
    add(`create a bucket as ${as}`, 'POST', '/bucket', { as, json: { name: `of-${as}` } })
    add(`get a bucket as ${as}`, 'GET', '/bucket/b', { as })
    add(`empty a bucket as ${as}`, 'POST', '/bucket/b/empty', { as, json: {} })
  }
  for (const id of ['b', 'none', 'é', '%20', 'a%2Fb', 'l0', 'other']) add(`get bucket ${id}`, 'GET', `/bucket/${id}`)
  add('head of a bucket', 'HEAD', '/bucket/b')
  for (const body of [{}, { public: true }, { public: null }, { file_size_limit: '1MB' }, { file_size_limit: null }, { file_size_limit: '99GB' }, { allowed_mime_types: ['a/b'] },
    { allowed_mime_types: null }, { allowed_mime_types: ['nope'] }, { name: 'x' }, { public: 'x' }]) {
    add(`update bucket with ${JSON.stringify(body)}`, 'PUT', '/bucket/l0', { json: body })
  }
  add('updated bucket', 'GET', '/bucket/l0')
  add('update no bucket', 'PUT', '/bucket/none', { json: { public: true } })
  add('empty bucket', 'POST', '/bucket/l0/empty', { json: {} })
  add('empty bucket without a body', 'POST', '/bucket/l0/empty', { headers: { 'content-type': 'application/json' } })
  add('empty no bucket', 'POST', '/bucket/none/empty', { json: {} })
  add('delete bucket', 'DELETE', '/bucket/l0', { json: {} })
  add('delete bucket again', 'DELETE', '/bucket/l0')
  for (const [method, path] of [['GET', '/'], ['GET', '/object'], ['PATCH', '/bucket/b'], ['GET', '/none'], ['DELETE', '/bucket'], ['POST', '/object/list'], ['GET', '/bucket/b/x'],
    ['POST', '/iceberg/bucket'], ['GET', '/iceberg/v1/config'], ['GET', '/render/image/public/b/x'], ['DELETE', '/cdn'], ['DELETE', '/cdn/b'], ['DELETE', '/cdn/b/k'], ['GET', '/cdn'],
    ['DELETE', '/cdn/b?transformations=x']]) {
    add(`${method} ${path}`, method, path)
  }
  add('purge as a user', 'DELETE', '/cdn/b', { as: 'user' })
  for (const body of [{ name: 'l14', file_size_limit: '1e3' }, { name: ['a'] }, { name: 'an', type: 'ANALYTICS' }]) add(`create bucket with ${JSON.stringify(body)}`, 'POST', '/bucket', { json: body })
  for (const as of ['service', 'none', 'bad']) add(`health as ${as}`, 'GET', '/health', { as })
  add('status', 'GET', '/status', { as: 'none' })
}
