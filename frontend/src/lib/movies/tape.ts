/** Bytes read at once. */
const WINDOW = 256 * 1024
/** Maximum number of changes in one file; cameras cause a dozen. */
const CHANGES = 10_000
const ZEROS = new Uint8Array(1024 * 1024)

/** Why a video cannot be used, in words for the user. */
export class VideoProblem extends Error {}

export const unreadable = () =>
  new VideoProblem('This file is no MP4, MOV or WebM video, or it is damaged. Save it as MP4 and try again.')

type Patch = { from: number; to: number; bytes: Uint8Array<ArrayBuffer> | null }

/** A file with random access, of which a changed copy can be made without reading all of it. */
export class Tape {
  readonly length: number
  private readonly file: Blob
  private window = new DataView(new ArrayBuffer(0))
  private start = 0
  private readonly patches: Patch[] = []

  constructor(file: Blob) {
    this.file = file
    this.length = file.size
  }

  /** `length` bytes at a position. */
  async read(at: number, length: number): Promise<DataView> {
    if (at < 0 || at + length > this.length) throw unreadable()
    if (at < this.start || at + length > this.start + this.window.byteLength) {
      const bytes = await this.file.slice(at, at + Math.max(length, WINDOW)).arrayBuffer()
      this.window = new DataView(bytes)
      this.start = at
    }
    return new DataView(this.window.buffer, at - this.start, length)
  }

  async u32(at: number): Promise<number> {
    return (await this.read(at, 4)).getUint32(0)
  }

  /** A number of eight bytes, as far as files have them. */
  async u64(at: number): Promise<number> {
    const number = (await this.read(at, 8)).getBigUint64(0)
    if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw unreadable()
    return Number(number)
  }

  /** Where some bytes are first found between `from` and `to`. */
  async find(bytes: Uint8Array, from: number, to: number): Promise<number | null> {
    const [first = 0] = bytes
    for (let at = from; at + bytes.length <= to;) {
      const length = Math.min(to - at, WINDOW)
      const { buffer, byteOffset } = await this.read(at, length)
      const piece = new Uint8Array(buffer, byteOffset, length)
      for (let found = piece.indexOf(first); found >= 0; found = piece.indexOf(first, found + 1)) {
        if (found + bytes.length <= length && bytes.every((byte, index) => piece[found + index] === byte))
          return at + found
      }
      at += length - bytes.length + 1
    }
    return null
  }

  write(at: number, bytes: Uint8Array<ArrayBuffer>) {
    this.patch({ from: at, to: at + bytes.length, bytes })
  }

  /** Overwrites everything from `from` to `to` with zeros. */
  zero(from: number, to: number) {
    if (from !== to) this.patch({ from, to, bytes: null })
  }

  /** The changed copy, which has the same length. */
  copy(type: string): Blob {
    const parts: BlobPart[] = []
    let at = 0
    for (const { from, to, bytes } of this.patches.toSorted((one, other) => one.from - other.from)) {
      // A part of it may be inside a patch that comes before.
      const begin = Math.max(from, at)
      if (begin >= to) continue
      parts.push(this.file.slice(at, begin))
      if (bytes) parts.push(bytes.subarray(begin - from))
      else for (let left = to - begin; left > 0; left -= ZEROS.length) parts.push(ZEROS.subarray(0, left))
      at = to
    }
    parts.push(this.file.slice(at))
    return new Blob(parts, { type })
  }

  private patch(patch: Patch) {
    if (patch.from < 0 || patch.from > patch.to || patch.to > this.length) throw unreadable()
    this.patches.push(patch)
    if (this.patches.length > CHANGES) throw unreadable()
  }
}
