// Requests of the TUS and S3 protocols, and to /vector.

const b64 = (text) => Buffer.from(text).toString('base64')
const metadata = (fields) => Object.entries(fields).map(([name, value]) => `${name} ${b64(value)}`).join(',')

const tusCases = (add) => {
  const tus = { 'tus-resumable': '1.0.0' }
  const where = metadata({ bucketName: 'tus', objectName: 'a.txt', contentType: 'text/plain', cacheControl: '60' })
  add('bucket for tus', 'POST', '/bucket', { json: { name: 'tus', file_size_limit: 100, allowed_mime_types: ['text/*'] } })
  add('tus options', 'OPTIONS', '/upload/resumable', { as: 'none' })
  for (const [name, headers] of [['', { ...tus, 'upload-length': '5', 'upload-metadata': where }], ['without a version', { 'upload-length': '5', 'upload-metadata': where }],
    ['of another version', { 'tus-resumable': '0.2', 'upload-length': '5', 'upload-metadata': where }], ['without a length', { ...tus, 'upload-metadata': where }],
    ['of a bad length', { ...tus, 'upload-length': 'x', 'upload-metadata': where }], ['that is too long', { ...tus, 'upload-length': '101', 'upload-metadata': where }],
    ['without metadata', { ...tus, 'upload-length': '5' }], ['with bad metadata', { ...tus, 'upload-length': '5', 'upload-metadata': 'x y z' }],
    ['with a deferred length', { ...tus, 'upload-defer-length': '1', 'upload-metadata': metadata({ bucketName: 'tus', objectName: 'd' }) }],
    ['with both lengths', { ...tus, 'upload-length': '5', 'upload-defer-length': '1', 'upload-metadata': where }],
    ['to no bucket', { ...tus, 'upload-length': '5', 'upload-metadata': metadata({ bucketName: 'none', objectName: 'a' }) }],
    ['with a bad name', { ...tus, 'upload-length': '5', 'upload-metadata': metadata({ bucketName: 'tus', objectName: 'é' }) }],
    ['of a wrong type', { ...tus, 'upload-length': '5', 'upload-metadata': metadata({ bucketName: 'tus', objectName: 't', contentType: 'image/png' }) }],
    ['without a bucket', { ...tus, 'upload-length': '5', 'upload-metadata': metadata({ objectName: 'a' }) }]]) {
    add(`tus upload ${name}`, 'POST', '/upload/resumable', { headers, keep: name ? {} : { tus: (answer) => answer.headers.get('location')?.replace(/^https?:\/\/[^/]+/, '') } })
  }
  for (const as of ['none', 'anon', 'bad']) add(`tus upload as ${as}`, 'POST', '/upload/resumable', { as, headers: { ...tus, 'upload-length': '5', 'upload-metadata': where } })
  const upload = (kept) => kept.tus
  const piece = { ...tus, 'content-type': 'application/offset+octet-stream' }
  add('tus head', 'HEAD', upload, { headers: tus })
  add('tus head without a version', 'HEAD', upload)
  add('tus piece without an offset', 'PATCH', upload, { headers: piece, body: 'he' })
  add('tus piece at a wrong offset', 'PATCH', upload, { headers: { ...piece, 'upload-offset': '3' }, body: 'he' })
  add('tus piece of a wrong type', 'PATCH', upload, { headers: { ...tus, 'upload-offset': '0', 'content-type': 'text/plain' }, body: 'he' })
  add('tus piece', 'PATCH', upload, { headers: { ...piece, 'upload-offset': '0' }, body: 'he' })
  add('tus head after a piece', 'HEAD', upload, { headers: tus })
  add('tus last piece', 'PATCH', upload, { headers: { ...piece, 'upload-offset': '2' }, body: 'llo' })
  add('tus result', 'GET', '/object/tus/a.txt')
  add('tus delete after the end', 'DELETE', upload, { headers: tus })
  add('tus with its first piece', 'POST', '/upload/resumable', { headers: { ...piece, 'upload-length': '2', 'upload-metadata': metadata({ bucketName: 'tus', objectName: 'whole' }) }, body: 'hi' })
  add('tus upload again', 'POST', '/upload/resumable', { headers: { ...tus, 'upload-length': '5', 'upload-metadata': where } })
  add('tus upload over one', 'POST', '/upload/resumable', { headers: { ...tus, 'upload-length': '5', 'upload-metadata': where, 'x-upsert': 'true' }, keep: { over: (answer) => answer.headers.get('location')?.replace(/^https?:\/\/[^/]+/, '') } })
  add('tus delete', 'DELETE', (kept) => kept.over, { headers: { ...tus, 'x-upsert': 'true' } })
  add('tus head after a deletion', 'HEAD', (kept) => kept.over, { headers: tus })
  for (const [method, path] of [['HEAD', '/upload/resumable/none'], ['PATCH', '/upload/resumable/none'], ['GET', '/upload/resumable/none'], ['GET', '/upload/resumable'], ['PUT', '/upload/resumable']]) {
    add(`tus ${method} ${path}`, method, path, { headers: { ...tus, ...(method === 'PATCH' ? { ...piece, 'upload-offset': '0' } : {}) } })
  }
  add('signed tus without a token', 'POST', '/upload/resumable/sign', { as: 'none', headers: { ...tus, 'upload-length': '5', 'upload-metadata': where } })
  add('signed tus with a bad token', 'POST', '/upload/resumable/sign', { as: 'none', headers: { ...tus, 'upload-length': '5', 'upload-metadata': where, 'x-signature': 'x' } })
}

const s3Cases = (add) => {
  const s3 = (name, method, path, more = {}) => add(`s3 ${name}`, method, `/s3${path}`, { as: 's3', ...more })
  s3('create bucket', 'PUT', '/sb')
  s3('create bucket again', 'PUT', '/sb')
  s3('create public bucket', 'PUT', '/sp', { headers: { 'x-amz-acl': 'public-read' } })
  s3('create bucket with a bad name', 'PUT', '/%C3%A9')
  s3('list buckets', 'GET', '')
  s3('head bucket', 'HEAD', '/sb')
  s3('head no bucket', 'HEAD', '/none')
  for (const query of ['location', 'versioning', 'uploads', 'tagging', 'acl', 'policy', 'lifecycle', 'cors']) s3(`bucket ?${query}`, 'GET', `/sb?${query}`)
  s3('put', 'PUT', '/sb/a.txt', { headers: { 'content-type': 'text/plain', 'x-amz-meta-a': 'b', 'cache-control': 'max-age=9' }, body: 'hello' })
  s3('put in no bucket', 'PUT', '/none/a', { headers: { 'content-type': 'text/plain' }, body: 'x' })
  s3('put a bad key', 'PUT', '/sb/%C3%A9', { headers: { 'content-type': 'text/plain' }, body: 'x' })
  s3('put a folder', 'PUT', '/sb/folder/', { headers: { 'content-length': '0' }, body: '' })
  for (const key of ['d/b.txt', 'd/c.txt', 'e/f/g.txt', 'z z.txt']) s3(`put ${key}`, 'PUT', `/sb/${encodeURI(key)}`, { headers: { 'content-type': 'text/plain' }, body: key })
  s3('get', 'GET', '/sb/a.txt')
  s3('head', 'HEAD', '/sb/a.txt')
  s3('get nothing', 'GET', '/sb/none')
  s3('head nothing', 'HEAD', '/sb/none')
  s3('get a range', 'GET', '/sb/a.txt', { headers: { range: 'bytes=1-2' } })
  s3('get a bad range', 'GET', '/sb/a.txt', { headers: { range: 'bytes=9-' } })
  s3('get if none match', 'GET', '/sb/a.txt', { headers: { 'if-none-match': '"5d41402abc4b2a76b9719d911017c592"' } })
  s3('get with other headers', 'GET', '/sb/a.txt?response-content-type=a%2Fb&response-cache-control=no-store&response-content-disposition=inline')
  s3('tags of an object', 'GET', '/sb/a.txt?tagging')
  s3('acl of an object', 'GET', '/sb/a.txt?acl')
  for (const query of ['list-type=2', 'list-type=2&prefix=d', 'list-type=2&delimiter=%2F', 'list-type=2&max-keys=1', 'list-type=2&max-keys=0', 'list-type=2&max-keys=x', 'list-type=2&start-after=b', 'list-type=2&encoding-type=url',
    'list-type=2&continuation-token=x', '', 'prefix=d&delimiter=%2F', 'max-keys=1', 'marker=b', 'max-keys=2&delimiter=%2F', 'list-type=3']) {
    s3(`list ${query}`, 'GET', `/sb${query && `?${query}`}`)
  }
  s3('copy', 'PUT', '/sb/copy.txt', { headers: { 'x-amz-copy-source': '/sb/a.txt' } })
  s3('copy with metadata', 'PUT', '/sb/copy2.txt', { headers: { 'x-amz-copy-source': 'sb/a.txt', 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-n': 'new', 'content-type': 'a/b' } })
  s3('copy nothing', 'PUT', '/sb/x', { headers: { 'x-amz-copy-source': 'sb/none' } })
  s3('copy from nowhere', 'PUT', '/sb/x', { headers: { 'x-amz-copy-source': 'sb' } })
  s3('copy if match', 'PUT', '/sb/x', { headers: { 'x-amz-copy-source': 'sb/a.txt', 'x-amz-copy-source-if-match': '"x"' } })
  s3('head of a copy', 'HEAD', '/sb/copy2.txt')
  s3('begin multipart', 'POST', '/sb/m?uploads', { headers: { 'content-type': 'text/plain' }, keep: { id: (answer) => /<UploadId>(.*?)</.exec(answer.text)?.[1] } })
  const part = (kept, rest) => `/s3/sb/m?${rest}uploadId=${encodeURIComponent(kept.id ?? '')}`
  const multi = (name, method, rest, more = {}) => add(`s3 ${name}`, method, (kept) => part(kept, rest), { as: 's3', ...more })
  multi('part', 'PUT', 'partNumber=1&', { body: 'part1', headers: { 'content-type': 'text/plain' } })
  multi('part 0', 'PUT', 'partNumber=0&', { body: 'x', headers: { 'content-type': 'text/plain' } })
  multi('part 10001', 'PUT', 'partNumber=10001&', { body: 'x', headers: { 'content-type': 'text/plain' } })
  multi('parts', 'GET', '')
  s3('uploads', 'GET', '/sb?uploads')
  multi('complete with a wrong tag', 'POST', '', { body: '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"x"</ETag></Part></CompleteMultipartUpload>', headers: { 'content-type': 'application/xml' } })
  multi('complete with a missing part', 'POST', '', { body: '<CompleteMultipartUpload><Part><PartNumber>2</PartNumber><ETag>"x"</ETag></Part></CompleteMultipartUpload>', headers: { 'content-type': 'application/xml' } })
  multi('complete with no XML', 'POST', '', { body: '<x', headers: { 'content-type': 'application/xml' } })
  multi('complete', 'POST', '', { body: '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"ee8a57e8eb9e4e2fe4e3f9f0c5c9d2a5"</ETag></Part></CompleteMultipartUpload>', headers: { 'content-type': 'application/xml' } })
  multi('abort', 'DELETE', '')
  multi('abort again', 'DELETE', '')
  s3('abort no upload', 'DELETE', '/sb/m?uploadId=none')
  s3('delete many', 'POST', '/sb?delete', { body: '<Delete><Object><Key>copy.txt</Key></Object><Object><Key>none</Key></Object></Delete>', headers: { 'content-type': 'application/xml' } })
  s3('delete many quietly', 'POST', '/sb?delete', { body: '<Delete><Quiet>true</Quiet><Object><Key>copy2.txt</Key></Object></Delete>', headers: { 'content-type': 'application/xml' } })
  s3('delete', 'DELETE', '/sb/a.txt')
  s3('delete nothing', 'DELETE', '/sb/none')
  s3('delete in no bucket', 'DELETE', '/none/a')
  s3('delete a full bucket', 'DELETE', '/sb')
  s3('delete a bucket', 'DELETE', '/sp')
  s3('delete no bucket', 'DELETE', '/none')
  for (const method of ['PATCH', 'POST']) s3(`${method} on a key`, method, '/sb/x')
  for (const as of ['none', 'service', 's3-wrong']) add(`s3 as ${as}`, 'GET', '/s3/sb', { as })
  add('s3 with a bad signature', 'GET', '/s3/sb', { as: 'none', headers: { authorization: 'AWS4-HMAC-SHA256 x' } })
  add('s3 with a bad query', 'GET', '/s3/sb?X-Amz-Credential=x', { as: 'none' })
}

const vectorCases = (add) => {
  const call = (name, operation, json, more = {}) => add(`vector ${name}`, 'POST', `/vector/${operation}`, { json, ...more })
  const index = { vectorBucketName: 'v', indexName: 'idx-a', dataType: 'float32', dimension: 2, distanceMetric: 'cosine', metadataConfiguration: { nonFilterableMetadataKeys: ['note'] } }
  const at = (more) => ({ vectorBucketName: 'v', indexName: 'idx-a', ...more })
  call('bucket', 'CreateVectorBucket', { vectorBucketName: 'v' })
  call('bucket again', 'CreateVectorBucket', { vectorBucketName: 'v' })
  for (const json of [{}, { vectorBucketName: 5 }, []]) call(`bucket of ${JSON.stringify(json)}`, 'CreateVectorBucket', json)
  for (const as of ['anon', 'user', 'none', 'bad']) call(`bucket as ${as}`, 'CreateVectorBucket', { vectorBucketName: 'w' }, { as })
  call('get bucket', 'GetVectorBucket', { vectorBucketName: 'v' })
  call('get no bucket', 'GetVectorBucket', { vectorBucketName: 'none' })
  for (const json of [{}, { maxResults: 1 }, { maxResults: 0 }, { maxResults: 501 }, { maxResults: '1' }, { prefix: 'v' }, { nextToken: 'v' }]) call(`list buckets ${JSON.stringify(json)}`, 'ListVectorBuckets', json)
  call('index', 'CreateIndex', index)
  call('index again', 'CreateIndex', index)
  for (const more of [{ dimension: 0 }, { dimension: 4001 }, { dimension: 4097 }, { dimension: '2' }, { dimension: 2.5 }, { dataType: 'int8' }, { dataType: 5 }, { distanceMetric: 'dot' }, { indexName: 'A' }, { indexName: 'ab' }, { indexName: '-abc' },
    { indexName: 'x'.repeat(46) }, { vectorBucketName: 'none', indexName: 'abc' }, { metadataConfiguration: {} }, { metadataConfiguration: { nonFilterableMetadataKeys: ['a', 'b', 'a'] } }, { metadataConfiguration: { nonFilterableMetadataKeys: [] } }]) {
    call(`index with ${JSON.stringify(more).slice(0, 40)}`, 'CreateIndex', { ...index, ...more })
  }
  call('index of nothing', 'CreateIndex', {})
  call('get index', 'GetIndex', at())
  call('get no index', 'GetIndex', at({ indexName: 'none' }))
  for (const json of [{ vectorBucketName: 'v' }, { vectorBucketName: 'none' }, { vectorBucketName: 'v', prefix: 'x' }, {}]) call(`list indexes ${JSON.stringify(json)}`, 'ListIndexes', json)
  const vectors = [{ key: 'a', data: { float32: [1, 0] }, metadata: { g: 'x', n: 2.0, tags: ['t'], note: 's' } }, { key: 'b', data: { float32: [0.6, 0.8] }, metadata: { g: 'y', n: 10, on: true } }, { key: 'c', data: { float32: [0, 1] } }]
  call('put', 'PutVectors', at({ vectors }))
  for (const wrong of [[], [{}], [{ key: 'a' }], [{ key: '', data: { float32: [1, 2] } }], [{ key: 'a', data: { float32: [] } }], [{ key: 'a', data: { float32: ['1', 2] } }], [{ key: 'a', data: { float32: [1, 2] }, metadata: { a: null } }],
    [{ key: 'a', data: { float32: [1, 2] }, metadata: { a: {} } }], [{ key: 'a', data: { float32: [1, 2] } }, { key: 'a', data: { float32: [1, 2] } }], [{ key: 'a', data: { float32: [1, 2, 3] } }], [{ key: 'a', data: { float32: [1e9, 0] } }],
    [{ key: 'a', data: { float32: [1, 2] }, metadata: { a: 'x'.repeat(3000) } }]]) {
    call(`put ${JSON.stringify(wrong).slice(0, 60)}`, 'PutVectors', at({ vectors: wrong }))
  }
  for (const json of [{ keys: ['a', 'none'] }, { keys: ['a'], returnData: true, returnMetadata: true }, { keys: [] }, { keys: 'a' }, {}, { keys: ['a'], returnData: 'true' }]) call(`get ${JSON.stringify(json)}`, 'GetVectors', at(json))
  for (const json of [{}, { maxResults: 1 }, { maxResults: 1001 }, { nextToken: 'a' }, { segmentCount: 2, segmentIndex: 0 }, { segmentCount: 2 }, { segmentCount: 2, segmentIndex: 2 }, { segmentCount: 17, segmentIndex: 0 }, { returnMetadata: true }]) {
    call(`list ${JSON.stringify(json)}`, 'ListVectors', at(json))
  }
  const query = { queryVector: { float32: [1, 0] }, topK: 3 }
  for (const more of [{}, { returnDistance: true }, { returnMetadata: true }, { topK: 0 }, { topK: 101 }, { topK: '1' }, { queryVector: {} }, { queryVector: { float32: [1] } }, { x: 1 }, { filter: {} }, { filter: { g: 'x' } }, { filter: { n: 2 } },
    { filter: { n: { $gt: 2 } } }, { filter: { n: { $gt: '2' } } }, { filter: { tags: 't' } }, { filter: { tags: { $nin: ['t'] } } }, { filter: { g: { $in: [] } } }, { filter: { $or: [{ g: 'x' }, { on: true }] } }, { filter: { $and: [] } },
    { filter: { $x: 1 } }, { filter: { g: { x: 1 } } }, { filter: { g: {} } }, { filter: { note: 's' } }, { filter: { g: { $exists: false } } }, { filter: [] }, { filter: { $or: [{ g: null }] } }]) {
    call(`query ${JSON.stringify(more)}`, 'QueryVectors', at({ ...query, ...more }))
  }
  call('delete vectors', 'DeleteVectors', at({ keys: ['a', 'none'] }))
  call('delete no vectors', 'DeleteVectors', at({ keys: [] }))
  call('delete a full bucket', 'DeleteVectorBucket', { vectorBucketName: 'v' })
  call('delete index', 'DeleteIndex', at())
  call('delete index again', 'DeleteIndex', at())
  call('delete bucket', 'DeleteVectorBucket', { vectorBucketName: 'v' })
  call('delete no bucket', 'DeleteVectorBucket', { vectorBucketName: 'none' })
  call('nothing', 'None', {})
}

export const protocolCases = (add) => {
  tusCases(add)
  s3Cases(add)
  vectorCases(add)
}
