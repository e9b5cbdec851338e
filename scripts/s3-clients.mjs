// @aws-sdk/client-s3 and client-s3vectors, as their users call them, against the server that S3_ENDPOINT names. Run by s3-clients.sh.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { S3_ENDPOINT: endpoint, AWS_REGION: region, CLIENTS: clients } = process.env
const load = createRequire(join(clients, 'package.json'))
const aws = load('@aws-sdk/client-s3')
const { Upload } = load('@aws-sdk/lib-storage')
const { getSignedUrl } = load('@aws-sdk/s3-request-presigner')
const { createPresignedPost } = load('@aws-sdk/s3-presigned-post')
const vectors = load('@aws-sdk/client-s3vectors')

const s3 = new aws.S3Client({ endpoint, region, forcePathStyle: true })
const Bucket = 'aws-sdk'
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
const send = (name, input) => s3.send(new aws[`${name}Command`]({ Bucket, ...input }))
const read = async (Key) => Buffer.from(await (await send('GetObject', { Key })).Body.transformToByteArray())

const tests = {
  async 'buckets and objects'() {
    await send('CreateBucket')
    await send('PutObject', { Key: 'a b+c.txt', Body: 'hello', ContentType: 'text/plain', Metadata: { colour: 'red' } })
    const found = await send('HeadObject', { Key: 'a b+c.txt' })
    assert.deepEqual([found.ContentLength, found.ContentType, found.Metadata], [5, 'text/plain', { colour: 'red' }])
    assert.equal((await read('a b+c.txt')).toString(), 'hello')
    await assert.rejects(read('none'), { name: 'NoSuchKey' })
  },
  async 'a stream with a checksum in its trailer'() {
    const bytes = randomBytes(300000)
    const { Readable } = await import('node:stream')
    await send('PutObject', { Key: 'stream', Body: Readable.from([bytes.subarray(0, 100000), bytes.subarray(100000)]), ContentLength: bytes.length, ChecksumAlgorithm: 'SHA256' })
    assert.equal(sha256(await read('stream')), sha256(bytes))
  },
  async '50 MB in parts'() {
    const bytes = randomBytes(50 * 1000 * 1000)
    await new Upload({ client: s3, params: { Bucket, Key: 'large', Body: bytes }, partSize: 6 * 1024 * 1024, queueSize: 4 }).done()
    assert.equal(sha256(await read('large')), sha256(bytes))
  },
  async 'a copy in parts'() {
    const { UploadId } = await send('CreateMultipartUpload', { Key: 'copied' })
    const Parts = []
    for (const [n, range] of ['bytes=0-5242879', 'bytes=5242880-9999999'].entries()) {
      const part = await send('UploadPartCopy', { Key: 'copied', UploadId, PartNumber: n + 1, CopySource: `${Bucket}/large`, CopySourceRange: range })
      Parts.push({ PartNumber: n + 1, ETag: part.CopyPartResult.ETag })
    }
    await send('CompleteMultipartUpload', { Key: 'copied', UploadId, MultipartUpload: { Parts } })
    assert.equal(sha256(await read('copied')), sha256((await read('large')).subarray(0, 10000000)))
  },
  async 'presigned URLs'() {
    const put = await getSignedUrl(s3, new aws.PutObjectCommand({ Bucket, Key: 'signed' }), { expiresIn: 60 })
    assert.equal((await fetch(put, { method: 'PUT', body: 'by url' })).status, 200)
    const get = await getSignedUrl(s3, new aws.GetObjectCommand({ Bucket, Key: 'signed' }), { expiresIn: 60 })
    assert.equal(await (await fetch(get)).text(), 'by url')
  },
  async 'a POST policy'() {
    const { url, fields } = await createPresignedPost(s3, { Bucket, Key: 'form', Conditions: [['content-length-range', 1, 10]], Expires: 60 })
    const post = async (text) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', new Blob([text]))
      return (await fetch(url, { method: 'POST', body: form })).status
    }
    assert.ok([200, 201, 204].includes(await post('by form')))
    assert.equal((await read('form')).toString(), 'by form')
    assert.ok((await post('more than ten bytes')) >= 400)
  },
  async 'pages and bulk deletion'() {
    await Promise.all(Array.from({ length: 30 }, (_, n) => send('PutObject', { Key: `many/${n}`, Body: String(n) })))
    const keys = []
    for await (const page of aws.paginateListObjectsV2({ client: s3, pageSize: 7 }, { Bucket, Prefix: 'many/' })) keys.push(...page.Contents.map(({ Key }) => Key))
    assert.equal(keys.length, 30)
    const { Deleted } = await send('DeleteObjects', { Delete: { Objects: keys.map((Key) => ({ Key })) } })
    assert.equal(Deleted.length, 30)
  },
  async 'vectors'() {
    const client = new vectors.S3VectorsClient({ endpoint: endpoint.replace(/\/s3$/, '/vector'), region })
    const ask = (name, input) => client.send(new vectors[`${name}Command`](input))
    const at = { vectorBucketName: 'aws-sdk-vectors', indexName: 'index' }
    await ask('CreateVectorBucket', { vectorBucketName: at.vectorBucketName })
    await ask('CreateIndex', { ...at, dataType: 'float32', dimension: 3, distanceMetric: 'cosine' })
    await ask('PutVectors', { ...at, vectors: [{ key: 'a', data: { float32: [1, 0, 0] }, metadata: { kind: 'x' } }, { key: 'b', data: { float32: [0, 1, 0] } }] })
    const { vectors: found } = await ask('QueryVectors', { ...at, topK: 1, queryVector: { float32: [0.9, 0.1, 0] }, returnMetadata: true })
    assert.deepEqual([found[0].key, found[0].metadata], ['a', { kind: 'x' }])
    assert.equal((await ask('ListVectors', at)).vectors.length, 2)
    await ask('DeleteVectors', { ...at, keys: ['a', 'b'] })
    await ask('DeleteIndex', at)
    await ask('DeleteVectorBucket', { vectorBucketName: at.vectorBucketName })
    await assert.rejects(ask('GetIndex', at), { name: 'NotFoundException' })
  },
}

let failures = 0
let skipped = 0
for (const [name, test] of Object.entries(tests)) {
  try {
    await test()
    console.log(`ok ${name}`)
  } catch (error) {
    if (name === 'vectors' && error.name === 'FeatureNotEnabled') {
      skipped += 1
      console.log('skipped vectors: this PostgreSQL has no pgvector')
      continue
    }
    failures += 1
    console.log(`not ok ${name}: ${error.stack ?? error}`)
  }
}
const run = Object.keys(tests).length - skipped
console.log(`aws-sdk: ${run - failures} of ${run}`)
process.exit(failures ? 1 : 0)
