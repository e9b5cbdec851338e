// Why an answer may differ from upstream's. All but the first few rules are lines of COMPATIBILITY.md, here in few words.

const says = (test, ...starts) => starts.some((start) => test.name.startsWith(start))
const body = ({ what }) => what === 'body'
/** Both refuse, and only the words differ. */
const words = (ours, theirs) => ours.status >= 400 && theirs.status >= 400

const RULES = [
  ['upstream hangs up', (_, __, ___, theirs) => theirs.status === 0],
  ['JSON without a charset', (_, { what, ours, theirs }) => what === 'content-type' && theirs === `${ours}; charset=utf-8`],
  ['404 outside of the routes has four keys, too', (_, difference, ours, theirs) => body(difference) && ours.status === 404 && theirs.status === 404 && theirs.json?.code === undefined],
  ['a request that is no HTTP', (test, difference) => says(test, 'get bucket é', 'upload %ff') && body(difference)],
  ['PUT on the place of uploads', (test) => test.name === 'tus PUT /upload/resumable'],
  ['the message about file_size_limit', (test, difference) => says(test, 'limit ') && body(difference)],
  ['file_size_limit in exponents', (test) => test.name.includes('"1e3"')],
  ['a list is no text', (test) => says(test, 'create bucket with {"name":["a"]}', 'types [["a"]]')],
  ['no analytics buckets', (test) => test.name.includes('"ANALYTICS"')],
  ['bodies of other types', (test, difference) => says(test, 'create bucket of') && body(difference)],
  ['parameters given twice', (test) => test.name.includes('limit=1&limit=2') || test.name.includes('download=c')],
  ['a missing token', (test, difference, ours, theirs) => says(test, 'health as none', 'tus upload as none', 'vector bucket as bad') && body(difference) && words(ours, theirs)],
  ['dots in names', (test) => /^upload (\.|\.\.|a\/\.\.\/b|%2e%2e\/x)$/.test(test.name)],
  ['types that are none', (test) => /of type (x|a\/b\/c)$/.test(test.name)],
  ['SVG is an attachment', (test, { what }) => test.name === 'download of type image/svg+xml' && what === 'content-disposition'],
  ['metadata that is a list', (test) => test.name.endsWith('metadata WzFd') || test.name.endsWith('info with metadata bnVsbA==')],
  ['fields after the file', (test) => /^form (6|11) /.test(test.name)],
  ['paths without a key', (test, _, ours, theirs) => /^get .*pub\/? as/.test(test.name) && words(ours, theirs)],
  ['a private bucket is not there', (test, difference, ours, theirs) => says(test, 'get public/o/none', 'get public/none') && body(difference) && words(ours, theirs)],
  ['HEAD of info/public', (test) => test.name === 'head info/public/pub/a.txt'],
  ['transformations that are off are not read', (test) => test.name.includes('"width":"x"')],
  ['descending lists have every folder', (test, difference) => test.name.includes('"column":"name","order":"desc"') && says(test, 'list {') && body(difference)],
  ['uploads expire', (test, { what }) => says(test, 'tus') && what === 'upload-expires'],
  ['an upload that there is none of', (test) => /^tus (HEAD|PATCH) \/upload\/resumable\/none$/.test(test.name)],
  ['the length of nothing', (test, { what, ours, theirs }) => says(test, 'tus head') && what === 'content-length' && ours === '0' && theirs === null],
  ['S3: 304 says nothing of the metadata', (_, { what }, ours, theirs) => what === 'x-amz-meta-a' && ours.status === 304 && theirs.status === 304],
  ['S3: an error has no namespace', (test, { what }) => says(test, 's3') && what === 'content-length'],
  ['S3: more headers', (test, { what, theirs }) => says(test, 's3') && theirs === null && ['accept-ranges', 'x-robots-tag'].includes(what)],
  ['S3: lists say more', (test, difference, ours, theirs) => /^s3 (list|bucket \?|uploads|parts)/.test(test.name) && body(difference) && ours.status === theirs.status],
  ['S3: conditions of a copy hold', (test) => test.name === 's3 copy if match'],
  ['S3: a copy keeps Cache-Control', (test, { what }) => test.name === 's3 head of a copy' && what === 'cache-control'],
  ['S3: tags are quoted', (test, { what, ours, theirs }) => says(test, 's3') && what === 'etag' && ours === `"${theirs}"`],
  ['S3: 204 after an abort', (test) => test.name === 's3 abort'],
  ['S3: the words about XML', (test, difference) => test.name === 's3 complete with no XML' && body(difference)],
  ['S3: a credential that is none', (test) => test.name === 's3 with a bad query'],
  ['vectors that do not fit', (test, _, ours, theirs) => says(test, 'vector') && ours.status === 400 && theirs.status === 500],
]

/** The first rule that a difference falls under; undefined if there is none. */
export const explanation = (test, difference, ours, theirs) => RULES.find(([, applies]) => applies(test, difference, ours, theirs))?.[0]
