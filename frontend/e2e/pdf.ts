import { inflateSync } from 'node:zlib'

/** The text of a PDF that Chromium printed, a line for each page: it has compressed streams, fonts of its own and no others. */
export function pdfText(pdf: Buffer): string {
  const raw = pdf.toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of raw.matchAll(/(\d+) 0 obj\s([\s\S]*?)\sendobj/g)) objects.set(id, body)
  const unicode = (font: string) => codes(stream(objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1] ?? '') ?? ''))
  const pages = [...objects.values()].filter((body) => /\/Type\s*\/Page\b(?!s)/.test(body))
  return pages
    .map((page) => {
      const resources = objects.get(/\/Resources (\d+) 0 R/.exec(page)?.[1] ?? '') ?? page
      const fonts = new Map<string, ReadonlyMap<string, string>>()
      const [, names = ''] = /\/Font\s*<<([\s\S]*?)>>/.exec(resources) ?? []
      for (const [, name = '', id = ''] of names.matchAll(/\/(\w+) (\d+) 0 R/g)) {
        fonts.set(name, unicode(objects.get(id) ?? ''))
      }
      const contents = [...(/\/Contents (?:(\d+) 0 R|\[([^\]]*)\])/.exec(page)?.[0].matchAll(/(\d+) 0 R/g) ?? [])]
      return contents
        .map(([, id = '']) => shown(stream(objects.get(id) ?? ''), fonts))
        .join('')
        .replace(/ +/g, ' ')
    })
    .join('\n')
}

/** The content of a stream, uncompressed. */
function stream(body: string): string {
  const at = body.indexOf('stream')
  if (at < 0) return ''
  const bytes = Buffer.from(body.slice(at).replace(/^stream\r?\n/, ''), 'latin1')
  return body.slice(0, at).includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1')
}

const text = (hex: string) => String.fromCodePoint(...(hex.match(/.{4}/g) ?? []).map((four) => parseInt(four, 16)))

/** The characters of a font's glyphs, from its table `ToUnicode`. */
function codes(table: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  for (const [, block = ''] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, glyph = '', hex = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>/g)) map.set(glyph.toLowerCase(), text(hex))
  }
  for (const [, block = ''] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, first = '', last = '', hex = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const [from, to, code] = [first, last, hex].map((one) => parseInt(one, 16)) as [number, number, number]
      for (let glyph = from; glyph <= to; glyph += 1) {
        map.set(glyph.toString(16).padStart(first.length, '0'), String.fromCodePoint(code + glyph - from))
      }
    }
  }
  return map
}

/** What a page's content shows, in order. Text at another place follows after a space. */
function shown(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> | undefined
  let said = ''
  for (const [part, name, glyphs] of content.matchAll(/\/(\w+) [\d.]+ Tf|<([\da-fA-F]+)>|\bET\b/g)) {
    if (name) font = fonts.get(name)
    else if (glyphs) {
      // Variable fonts have codes of one byte, others of two.
      const [known = ''] = font?.keys() ?? []
      const all = glyphs.toLowerCase().match(known.length === 2 ? /.{2}/g : /.{4}/g) ?? []
      said += all.map((glyph) => font?.get(glyph) ?? '').join('')
    } else if (part === 'ET') said += ' '
  }
  return said
}
