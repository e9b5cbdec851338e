import { stripBoxes } from '@/lib/movies/boxes'
import { stripElements } from '@/lib/movies/elements'
import { Tape, unreadable } from '@/lib/movies/tape'

/** The videos that can be uploaded: their type, and the ending of their file. */
export const VIDEO_TYPES = { 'video/mp4': 'mp4', 'video/quicktime': 'mov', 'video/webm': 'webm' } as const
export type VideoType = keyof typeof VIDEO_TYPES

/**
 * A copy of a video of the same length that does not tell where and with what it was taken.
 * The content decides about the type, because files are often named wrongly.
 */
export async function stripVideo(file: Blob): Promise<{ video: Blob; type: VideoType }> {
  const tape = new Tape(file)
  const head = await tape.read(0, 12)
  if (head.getUint32(0) === 0x1a45dfa3) {
    await stripElements(tape)
    return { video: tape.copy('video/webm'), type: 'video/webm' }
  }
  const kind = ascii(head, 4)
  if (!['ftyp', 'moov', 'mdat', 'wide'].includes(kind)) throw unreadable()
  await stripBoxes(tape)
  const type = kind === 'ftyp' && ascii(head, 8) !== 'qt  ' ? 'video/mp4' : 'video/quicktime'
  return { video: tape.copy(type), type }
}

const ascii = (bytes: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => bytes.getUint8(at + offset)))
