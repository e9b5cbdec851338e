// Requests to /object.

const text = { 'content-type': 'text/plain' }

const form = (parts) => {
  const lines = parts.map(([name, value, file, type]) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n${type ? `content-type: ${type}\r\n` : ''}\r\n${value}\r\n`)
  return { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: `${lines.join('')}--x--\r\n` }
}

const uploads = (add) => {
  for (const [name, rules] of [['o', {}], ['pub', { public: true }], ['small', { file_size_limit: 4 }], ['pics', { allowed_mime_types: ['image/*'] }], ['odd', {}], ['two', {}]]) {
    add(`bucket ${name}`, 'POST', '/bucket', { json: { name, ...rules } })
  }
  const keys = ['a.txt', 'd/e.txt', 'd//f', 'sp%20ace', 'plus+', '%C3%A9', 'a%23', 'a%3Fb', 'a%25', "it's", '~x', 'x%5By%5D', '.', '..', 'a/../b', '%2e%2e/x', 'd/', '%00', '%ff', 'a%0Ab',
    'x'.repeat(255), 'trail%20', '%20', '.emptyFolderPlaceholder', 'd/.emptyFolderPlaceholder', 'a%2Fb', 'a;b', 'a&b=c', 'a@b:c,d', '$x*(y)!', '|', '%3Ch%3E']
  // What only one of the two stores is in a bucket of its own, so that lists are the same.
  const odd = ['.', '..', 'a/../b', '%2e%2e/x']
  for (const key of keys) add(`upload ${key.slice(0, 20)}`, 'POST', `/object/${odd.includes(key) ? 'odd' : 'o'}/${key}`, { headers: text, body: 'hello' })
  add('upload again', 'POST', '/object/o/a.txt', { headers: text, body: 'hello' })
  add('upload with upsert', 'POST', '/object/o/a.txt', { headers: { ...text, 'x-upsert': 'true', 'cache-control': 'max-age=7' }, body: 'hello again' })
  add('put', 'PUT', '/object/o/put.txt', { headers: text, body: 'put' })
  add('put again', 'PUT', '/object/o/put.txt', { headers: text, body: 'put 2' })
  add('upload to no bucket', 'POST', '/object/none/a', { headers: text, body: 'x' })
  add('upload without a key', 'POST', '/object/o', { headers: text, body: 'x' })
  add('upload empty', 'POST', '/object/o/empty', { headers: text, body: '' })
  for (const [n, type] of ['text/html', 'image/svg+xml', 'application/json', 'x', 'text/plain; charset=utf-8', 'IMAGE/PNG', 'a/b/c', undefined].entries()) {
    const bucket = ['x', 'a/b/c'].includes(type) ? 'odd' : 'o'
    add(`upload of type ${type}`, 'POST', `/object/${bucket}/type${n}`, { headers: type ? { 'content-type': type } : {}, body: '{}' })
    add(`download of type ${type}`, 'GET', `/object/${bucket}/type${n}`)
    add(`info of type ${type}`, 'GET', `/object/info/${bucket}/type${n}`)
  }
  for (const [n, robots] of ['all', 'noindex, nofollow', 'bogus', 'bot: noindex', '', 'max-snippet: 5'].entries()) {
    add(`upload for robots ${robots}`, 'POST', `/object/o/robots${n}`, { headers: { ...text, 'x-robots-tag': robots }, body: 'x' })
    add(`download for robots ${robots}`, 'GET', `/object/o/robots${n}`)
  }
  for (const [n, metadata] of ['eyJhIjoxfQ==', 'e30=', 'x', 'WzFd', 'bnVsbA==', ''].entries()) {
    const bucket = metadata === 'WzFd' ? 'odd' : 'o'
    add(`upload with metadata ${metadata}`, 'POST', `/object/${bucket}/meta${n}`, { headers: { ...text, 'x-metadata': metadata }, body: 'x' })
    add(`info with metadata ${metadata}`, 'GET', `/object/info/${bucket}/meta${n}`)
  }
  for (const [n, [key, headers, body]] of [['big', text, '12345'], ['fits', text, '1234'], ['none', text, '']].entries()) add(`limit ${n}`, 'POST', `/object/small/${key}`, { headers, body })
  for (const [n, type] of ['image/png', 'text/plain', 'image/png; x=y', undefined].entries()) {
    add(`type rule ${type}`, 'POST', `/object/pics/p${n}`, { headers: type ? { 'content-type': type } : {}, body: 'x' })
  }
  const file = ['', 'hello', 'f.txt', 'text/plain']
  const forms = [[file], [['cacheControl', '3600'], file], [['cacheControl', 'x'], file], [['metadata', '{"a":1}'], file], [['metadata', '{'], file], [['contentType', 'image/png'], file],
    [file, ['cacheControl', '1']], [['a', 'b']], [['file', 'x', 'f.html', 'text/html']], [['file', '', 'f', 'text/plain']], [['userMetadata', '{"b":2}'], file], [['', 'x', 'n']],
    [['cacheControl', ''], file]]
  forms.forEach((parts, n) => {
    const bucket = [6, 11].includes(n) ? 'odd' : 'o'
    add(`form ${n}`, 'POST', `/object/${bucket}/form${n}`, form(parts))
    add(`form ${n} read`, 'GET', `/object/${bucket}/form${n}`)
    add(`form ${n} info`, 'GET', `/object/info/${bucket}/form${n}`)
  })
  add('form without an end', 'POST', '/object/o/broken', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\n' })
  add('form without a boundary', 'POST', '/object/o/broken2', { headers: { 'content-type': 'multipart/form-data' }, body: '--x\r\n' })
  add('form that is too long', 'POST', '/object/small/form', form([file]))
  add('upload for reading', 'POST', '/object/pub/a.txt', { headers: { ...text, 'cache-control': 'max-age=60' }, body: 'hello world' })
}

const downloads = (add) => {
  for (const way of ['', 'authenticated/', 'public/', 'info/', 'info/authenticated/', 'info/public/']) {
    for (const target of ['pub/a.txt', 'o/a.txt', 'o/none', 'none/a', 'pub', 'pub/']) {
      for (const as of ['service', 'none']) add(`get ${way}${target} as ${as}`, 'GET', `/object/${way}${target}`, { as })
    }
    add(`get ${way}o/a.txt as anon`, 'GET', `/object/${way}o/a.txt`, { as: 'anon' })
    add(`get ${way}o/a.txt as bad`, 'GET', `/object/${way}o/a.txt`, { as: 'bad' })
    add(`head ${way}pub/a.txt`, 'HEAD', `/object/${way}pub/a.txt`)
    add(`head ${way}o/none`, 'HEAD', `/object/${way}o/none`)
  }
  for (const range of ['bytes=0-0', 'bytes=1-3', 'bytes=6-', 'bytes=-5', 'bytes=0-999', 'bytes=11-', 'bytes=5-2', 'bytes=-0', 'bytes=-99', 'bytes=a-b', 'items=0-1', 'bytes=0-1,3-4', 'bytes=', 'bytes=-', 'bytes= 1-2']) {
    add(`range ${range}`, 'GET', '/object/public/pub/a.txt', { headers: { range } })
  }
  const etag = '"5eb63bbbe01eeed093cb22bb8f5acdc3"'
  for (const [name, value] of [['if-none-match', etag], ['if-none-match', '"x"'], ['if-none-match', `W/${etag}`], ['if-none-match', `"x", ${etag}`], ['if-none-match', '*'], ['if-none-match', etag.slice(1, -1)],
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'], ['if-modified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'], ['if-modified-since', 'x'], ['if-match', '"x"']]) {
    add(`condition ${name}: ${value}`, 'GET', '/object/public/pub/a.txt', { headers: { [name]: value } })
    add(`head condition ${name}: ${value}`, 'HEAD', '/object/public/pub/a.txt', { headers: { [name]: value } })
  }
  for (const query of ['download', 'download=', 'download=x.txt', 'download=%C3%A9.txt', 'download=a%22b', 'download=a%0Ab', 'download=a%20b&download=c', 'download=a;b', 'width=5', 'x=y', 'download=true']) {
    add(`query ${query}`, 'GET', `/object/public/pub/a.txt?${query}`)
  }
}

export const objectCases = (add) => {
  uploads(add)
  downloads(add)
}
