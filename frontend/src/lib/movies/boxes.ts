import { unreadable, type Tape } from '@/lib/movies/tape'

/*
 * MP4 and QuickTime, as the server cleans them again (crates/storage/src/strip/movie.rs). Source: ISO/IEC 14496-12; Apple,
 * QuickTime File Format.
 */

/** Boxes of the file that are needed to play it. */
const IN_FILE = ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'mfra', 'sidx', 'ssix', 'pdin', 'prft']
const IN_MOVIE = ['mvhd', 'trak', 'mvex', 'iods']
const IN_TRACK = ['tkhd', 'mdia', 'edts', 'tref', 'tapt', 'load']
const IN_MEDIA = ['mdhd', 'hdlr', 'minf', 'elng']
const IN_FRAGMENT = ['mfhd', 'traf']
/** Pictures, sound and time codes. Captions go: drones write their position into them every second. */
const HANDLERS = ['vide', 'soun', 'tmcd']
/** What a dashcam's position begins with: a `free` box between the samples, after its length of four bytes. */
const POSITION = Uint8Array.from('freeGPS ', (letter) => letter.charCodeAt(0))
/** Pictures in the same container. */
const PICTURES = ['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1', 'avif', 'avis']
const FREE = new Uint8Array([0x66, 0x72, 0x65, 0x65])

/** Where a box begins, its content begins, and it ends. */
type Box = { kind: string; at: number; content: number; end: number }

/** Blanks user data, metadata, unknown boxes, tracks that are neither picture nor sound, and what dashcams write between the samples. */
export async function stripBoxes(tape: Tape): Promise<void> {
  let movie = false
  for (let at = 0; at + 8 <= tape.length;) {
    const box = await boxAt(tape, at, tape.length)
    if (box.kind === 'ftyp' && PICTURES.includes(text(await tape.read(box.content, 4)))) throw unreadable()
    if (box.kind === 'moov') {
      movie = true
      await stripMovie(tape, box)
    } else if (box.kind === 'moof') await stripChildren(tape, box, IN_FRAGMENT)
    else if (box.kind === 'mdat') await zeroPositions(tape, box)
    else if (!IN_FILE.includes(box.kind)) blank(tape, box)
    at = box.end
  }
  if (!movie) throw unreadable()
}

/** Overwrites the positions of a dashcam. No track names them. */
async function zeroPositions(tape: Tape, data: Box) {
  for (let at = data.content; ;) {
    const found = await tape.find(POSITION, at, data.end)
    if (found === null) return
    const content = found + POSITION.length
    const length = found - 4 < data.content ? 0 : await tape.u32(found - 4)
    at = Math.min(Math.max(found - 4 + length, content), data.end)
    tape.zero(content, at)
  }
}

async function stripMovie(tape: Tape, movie: Box) {
  const parts = await children(tape, movie)
  const fragments = parts.some(({ kind }) => kind === 'mvex')
  for (const part of parts) {
    if (part.kind === 'cmov') throw unreadable()
    if (part.kind === 'trak') await stripTrack(tape, part, fragments)
    else if (!IN_MOVIE.includes(part.kind)) blank(tape, part)
  }
}

async function stripTrack(tape: Tape, track: Box, fragments: boolean) {
  const media = await child(tape, track, 'mdia')
  const handler = await child(tape, media, 'hdlr')
  if (HANDLERS.includes(text(await tape.read(handler.content + 8, 4)))) {
    await stripChildren(tape, media, IN_MEDIA)
    await stripChildren(tape, track, IN_TRACK)
    return
  }
  // Its samples are scattered over fragments that do not say where they end.
  if (fragments) throw unreadable()
  const table = (await children(tape, await child(tape, media, 'minf'))).find(({ kind }) => kind === 'stbl')
  if (table) await zeroSamples(tape, table)
  blank(tape, track)
}

/** Overwrites the samples of a track. */
async function zeroSamples(tape: Tape, table: Box) {
  const parts = await children(tape, table)
  const find = (kind: string) => parts.find((part) => part.kind === kind)
  const [sizes, runs, wide] = [find('stsz'), find('stsc'), find('co64')]
  const offsets = wide ?? find('stco')
  if (!sizes || !runs || !offsets) throw unreadable()
  const same = await tape.u32(sizes.content + 4)
  const count = await tape.u32(sizes.content + 8)
  const runCount = await tape.u32(runs.content + 4)
  const chunks = await tape.u32(offsets.content + 4)
  let [run, perChunk, sample] = [0, 0, 0]
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    // The next run begins with the chunk of this number, counted from 1.
    if (run < runCount && (await tape.u32(runs.content + 8 + run * 12)) === chunk + 1) {
      perChunk = await tape.u32(runs.content + 12 + run * 12)
      run += 1
    }
    const offset = wide
      ? await tape.u64(offsets.content + 8 + chunk * 8)
      : await tape.u32(offsets.content + 8 + chunk * 4)
    const last = Math.min(sample + perChunk, count)
    let length = same * (last - sample)
    for (; same === 0 && sample < last; sample += 1) length += await tape.u32(sizes.content + 12 + sample * 4)
    sample = last
    tape.zero(offset, offset + length)
  }
}

async function stripChildren(tape: Tape, parent: Box, needed: readonly string[]) {
  for (const part of await children(tape, parent)) if (!needed.includes(part.kind)) blank(tape, part)
}

async function child(tape: Tape, parent: Box, kind: string): Promise<Box> {
  const found = (await children(tape, parent)).find((part) => part.kind === kind)
  if (!found) throw unreadable()
  return found
}

async function children(tape: Tape, parent: Box): Promise<Box[]> {
  const found: Box[] = []
  // QuickTime ends some boxes with four zeros.
  for (let at = parent.content; at + 8 <= parent.end;) {
    const box = await boxAt(tape, at, parent.end)
    found.push(box)
    at = box.end
  }
  return found
}

/** Makes a box an empty one of the same length. */
function blank(tape: Tape, { at, content, end }: Box) {
  tape.write(at + 4, FREE)
  tape.zero(content, end)
}

async function boxAt(tape: Tape, at: number, limit: number): Promise<Box> {
  const short = await tape.u32(at)
  const kind = text(await tape.read(at + 4, 4))
  const content = at + (short === 1 ? 16 : 8)
  // 0: up to the end of the file.
  const end = short === 0 ? limit : at + (short === 1 ? await tape.u64(at + 8) : short)
  if (end < content || end > limit) throw unreadable()
  return { kind, at, content, end }
}

const text = (bytes: DataView) =>
  String.fromCharCode(...new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
