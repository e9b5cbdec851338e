import { unreadable, type Tape } from '@/lib/movies/tape'

/* WebM, as the server cleans it again (crates/storage/src/strip/matroska.rs). Source: RFC 8794, RFC 9559. */

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const VOID = 0xec
const CLUSTER = 0x1f43b675
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const TRACK_TYPE = 0x83
/** SeekHead, Cues; of a cluster without length: Timestamp, Position, PrevSize, blocks. Checksums go: what they cover changes. */
const NEEDED = [0x114d9b74, 0x1c53bb6b, 0xe7, 0xa7, 0xab, 0xa3, 0xa0]
/** TimestampScale, Duration. */
const IN_INFO = [0x2ad7b1, 0x4489]
/** MuxingApp, WritingApp: every file has them, though they may be empty. */
const PROGRAMS = [0x4d80, 0x5741]
/** Everything but the name of the track and of its codec, checksums and unknown elements. */
const IN_TRACK = [
  0xd7,
  0x73c5,
  TRACK_TYPE,
  0xb9,
  0x88,
  0x55aa,
  0x9c,
  0x6de7,
  0x6df8,
  0x23e383,
  0x234e7a,
  0x23314f,
  0x55ee,
  0x41e4,
  0x22b59c,
  0x22b59d,
  0x86,
  0x63a2,
  0x56aa,
  0x56bb,
  0xe0,
  0xe1,
  0xe2,
  0x6d80,
]

/** `end` is null if the length is unknown, as in a recording that is still going on. */
type Element = { id: number; content: number; end: number | null }

/** Makes everything but pictures and sound void elements: tags, attachments, titles, chapters. */
export async function stripElements(tape: Tape): Promise<void> {
  const header = await elementAt(tape, 0)
  if (header.id !== EBML || header.end === null) throw unreadable()
  const segment = await elementAt(tape, header.end)
  if (segment.id !== SEGMENT) throw unreadable()
  const end = segment.end ?? tape.length
  for (let at = segment.content; at < end;) {
    const element = await elementAt(tape, at)
    // The children of a cluster without length follow, as if they were the segment's.
    if (element.end === null && element.id !== CLUSTER) throw unreadable()
    const next = element.end ?? element.content
    if (next > end) throw unreadable()
    if (element.id === VOID) tape.zero(element.content, next)
    else if (element.id === INFO) await stripInfo(tape, element.content, next)
    else if (element.id === TRACKS) await stripTracks(tape, element.content, next)
    else if (element.id !== CLUSTER && !NEEDED.includes(element.id)) voidOut(tape, at, next)
    at = next
  }
  tape.zero(end, tape.length)
}

async function stripInfo(tape: Tape, from: number, to: number) {
  await children(tape, from, to, async (id, content, end) => {
    if (PROGRAMS.includes(id)) tape.zero(content, end)
    return Promise.resolve(PROGRAMS.includes(id) || IN_INFO.includes(id))
  })
}

async function stripTracks(tape: Tape, from: number, to: number) {
  await children(tape, from, to, async (id, content, end) => {
    if (id === TRACK) await stripTrack(tape, content, end)
    return id === TRACK
  })
}

/** A track that is neither picture (1) nor sound (2) is refused: its content is scattered over the clusters. */
async function stripTrack(tape: Tape, from: number, to: number) {
  const types: boolean[] = []
  await children(tape, from, to, async (id, content, end) => {
    if (id === TRACK_TYPE) {
      types.push(end - content === 1 && [1, 2].includes((await tape.read(content, 1)).getUint8(0)))
    }
    return IN_TRACK.includes(id)
  })
  if (types.length === 0 || types.includes(false)) throw unreadable()
}

/** Makes void elements of the children that `keep` does not want. */
async function children(
  tape: Tape,
  from: number,
  to: number,
  keep: (id: number, content: number, end: number) => Promise<boolean>,
) {
  for (let at = from; at < to;) {
    const { id, content, end } = await elementAt(tape, at)
    if (end === null || end > to) throw unreadable()
    if (id === VOID) tape.zero(content, end)
    else if (!(await keep(id, content, end))) voidOut(tape, at, end)
    at = end
  }
}

async function elementAt(tape: Tape, at: number): Promise<Element> {
  const idWidth = Math.clz32((await tape.read(at, 1)).getUint8(0)) - 23
  if (idWidth > 4) throw unreadable()
  let id = 0
  const idBytes = await tape.read(at, idWidth)
  for (let byte = 0; byte < idWidth; byte += 1) id = id * 256 + idBytes.getUint8(byte)
  const sizeAt = at + idWidth
  const width = Math.clz32((await tape.read(sizeAt, 1)).getUint8(0)) - 23
  if (width > 8) throw unreadable()
  const bytes = await tape.read(sizeAt, width)
  // The first byte's highest set bit marks the width.
  let length = bytes.getUint8(0) & ((0x80 >> (width - 1)) - 1)
  let unknown = length === (0x80 >> (width - 1)) - 1
  for (let byte = 1; byte < width; byte += 1) {
    length = length * 256 + bytes.getUint8(byte)
    unknown &&= bytes.getUint8(byte) === 0xff
  }
  const content = sizeAt + width
  if (unknown) return { id, content, end: null }
  if (content + length > tape.length) throw unreadable()
  return { id, content, end: content + length }
}

/** Writes a void element from `from` to `to`. */
function voidOut(tape: Tape, from: number, to: number) {
  const whole = to - from
  if (whole < 2) throw unreadable()
  if (whole < 9) {
    tape.write(from, new Uint8Array([0xec, 0x80 | (whole - 2)]))
    tape.zero(from + 2, to)
    return
  }
  const head = new DataView(new ArrayBuffer(9))
  head.setBigUint64(1, BigInt(whole - 9))
  head.setUint8(0, 0xec)
  head.setUint8(1, 0x01)
  tape.write(from, new Uint8Array(head.buffer))
  tape.zero(from + 9, to)
}
