import { expect, test } from 'vitest'
import { stripVideo } from '@/lib/movies/strip'

const PLACE = '+48.8577+002.295/'
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const joined = (...parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => Array.from(part)))
const numbers = (...values: number[]) =>
  joined(...values.map((value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value])))
const box = (kind: string, ...content: Uint8Array[]) => {
  const body = joined(...content)
  return joined(numbers(body.length + 8), bytes(kind), body)
}

function track(handler: string, ...more: Uint8Array[]) {
  const hdlr = box('hdlr', new Uint8Array(8), bytes(handler), new Uint8Array(12))
  // Two chunks of two samples of four bytes, at 40 and 60.
  const table = box(
    'stbl',
    box('stsz', numbers(0, 0, 4, 4, 4, 4, 4)),
    box('stsc', numbers(0, 1, 1, 2, 1)),
    box('stco', numbers(0, 2, 40, 60)),
  )
  return box('trak', box('tkhd', bytes('matrix')), box('mdia', box('mdhd'), hdlr, box('minf', table)), ...more)
}

function movie(...tracks: Uint8Array[]) {
  const data = Uint8Array.from({ length: 200 }, (_, index) => 65 + (index % 26))
  const told = [box('udta', box('\xa9xyz', bytes(PLACE))), box('meta', bytes('location.ISO6709'), bytes(PLACE))]
  const moov = box('moov', box('mvhd', bytes('length')), ...told, ...tracks)
  return joined(box('ftyp', bytes('mp42\0\0\0\0')), box('mdat', data), box('uuid', bytes(PLACE)), moov)
}

async function stripped(file: Uint8Array<ArrayBuffer>) {
  const { video, type } = await stripVideo(new Blob([file]))
  const clean = new Uint8Array(await video.arrayBuffer())
  expect(clean.length).toBe(file.length)
  return { clean, text: new TextDecoder('latin1').decode(clean), type }
}

test('a movie keeps pictures and sound, but not its place', async () => {
  const file = movie(track('vide', box('udta', bytes(PLACE))))
  const { clean, text, type } = await stripped(file)
  expect(type).toBe('video/mp4')
  expect(text).not.toContain(PLACE)
  expect(text).not.toContain('ISO6709')
  expect(text).toContain('matrix')
  expect(clean.slice(0, 224)).toEqual(file.slice(0, 224))
})

test.each(['meta', 'text', 'sbtl', 'subt'])(
  'the samples of a track with positions are overwritten: %s',
  async (handler) => {
    const file = movie(track('vide'), track(handler))
    const { clean } = await stripped(file)
    expect(clean.slice(40, 48)).toEqual(new Uint8Array(8))
    expect(clean.slice(60, 68)).toEqual(new Uint8Array(8))
    expect(clean.slice(48, 60)).toEqual(file.slice(48, 60))
  },
)

test('positions between the samples are overwritten', async () => {
  const block = box('free', bytes('GPS '), bytes(PLACE))
  // The second one begins up to 8 bytes before the end of the first piece that is searched.
  const padding = new Uint8Array(256 * 1024 - 'between'.length - 4).fill(120)
  for (const cut of [0, 1, 7, 8]) {
    const data = [bytes('before'), block, bytes('between'), padding.subarray(cut), block, bytes('after')]
    const { text } = await stripped(
      joined(box('ftyp', bytes('mp42')), box('mdat', ...data), box('moov', track('vide'))),
    )
    expect(text.includes(PLACE), `${cut}`).toBe(false)
    for (const kept of ['before', 'between', 'x'.repeat(padding.length - cut), 'after'])
      expect(text.includes(kept)).toBe(true)
  }
})

test('a WebM keeps pictures and sound, but no tags', async () => {
  const tags = element([0x12, 0x54, 0xc3, 0x67], bytes(PLACE))
  const cluster = element([0x1f, 0x43, 0xb6, 0x75], bytes('pictures'))
  const header = element([0x1a, 0x45, 0xdf, 0xa3], bytes('webm'))
  const whole = joined(header, element([0x18, 0x53, 0x80, 0x67], joined(tags, cluster)))
  const found = await stripped(whole)
  expect(found.type).toBe('video/webm')
  expect(found.text).not.toContain(PLACE)
  expect(found.text).toContain('pictures')

  // As a browser records it: lengths are unknown.
  const unknown = new Uint8Array([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
  const live = joined(
    header,
    new Uint8Array([0x18, 0x53, 0x80, 0x67]),
    unknown,
    new Uint8Array([0x1f, 0x43, 0xb6, 0x75, 0xff]),
    element([0xa3], bytes('pictures')),
    tags,
  )
  const recorded = await stripped(live)
  expect(recorded.text).not.toContain(PLACE)
  expect(recorded.text).toContain('pictures')
})

const element = (id: number[], content: Uint8Array) =>
  joined(new Uint8Array([...id, 0x40 | (content.length >> 8), content.length]), content)
/** A WebM with a title, and a track of this type. */
function webm(kind: number) {
  const [title, name] = [element([0x7b, 0xa9], bytes(PLACE)), element([0x53, 0x6e], bytes(PLACE))]
  const info = element([0x15, 0x49, 0xa9, 0x66], joined(title, element([0x57, 0x41], bytes(PLACE))))
  const type = element([0x83], new Uint8Array([kind]))
  const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], joined(type, element([0x86], bytes('V_VP8')), name)))
  const chapters = element([0x10, 0x43, 0xa7, 0x70], bytes(PLACE))
  const segment = element([0x18, 0x53, 0x80, 0x67], joined(info, tracks, chapters))
  return joined(element([0x1a, 0x45, 0xdf, 0xa3], bytes('webm')), segment)
}

test('a WebM keeps no titles, names and chapters', async () => {
  const { text } = await stripped(webm(1))
  expect(text).not.toContain(PLACE)
  expect(text).toContain('V_VP8')
})

test.each([
  ['a WebM with subtitles', webm(17)],
  ['a text', bytes('hello, I am no video')],
  ['nothing', new Uint8Array()],
  ['a movie that is cut off', movie(track('vide')).slice(0, -1)],
  ['a picture of a phone', joined(box('ftyp', bytes('heic\0\0\0\0')), movie(track('vide')))],
])('%s is refused', async (_, file) => {
  await expect(stripVideo(new Blob([file]))).rejects.toThrow('is no MP4, MOV or WebM video')
})
