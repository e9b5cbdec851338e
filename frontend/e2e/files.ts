import type { Page } from '@playwright/test'

/** What cameras write into files; nothing of it may reach the server's disk. */
export const PLACE = '+48.8577+002.295/'

/** A wide JPEG whose EXIF data tell a place. */
export async function photo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 800
    canvas.height = 400
    const context = canvas.getContext('2d')
    if (!context) throw new Error('There is no canvas.')
    const sky = context.createLinearGradient(0, 0, 800, 400)
    sky.addColorStop(0, '#2a6f4e')
    sky.addColorStop(1, '#e58b5e')
    context.fillStyle = sky
    context.fillRect(0, 0, 800, 400)
    context.fillStyle = '#f2f4ee'
    context.beginPath()
    context.arc(400, 160, 80, 0, 7)
    context.arc(400, 420, 150, 0, 7)
    context.fill()
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const plain = Buffer.from(base64, 'base64')
  const exif = Buffer.from(`Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0${PLACE}`, 'latin1')
  const head = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff])
  return Buffer.concat([plain.subarray(0, 2), head, exif, plain.subarray(2)])
}

/** A WebM video of the browser's own, made as long as two parts of an upload, whose tags tell a place. */
export async function film(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 180
    const context = canvas.getContext('2d')
    if (!context) throw new Error('There is no canvas.')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((done) => (recorder.onstop = done))
    recorder.start()
    for (let frame = 0; frame < 20; frame += 1) {
      context.fillStyle = `hsl(${frame * 12} 60% 40%)`
      context.fillRect(0, 0, 320, 180)
      await new Promise((next) => setTimeout(next, 50))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    let text = ''
    bytes.forEach((byte) => (text += String.fromCharCode(byte)))
    return btoa(text)
  })
  // Void elements and tags may follow the pictures.
  const filler = element(0xec, 8 * 1024 * 1024)
  const tags = Buffer.concat([Buffer.from([0x12, 0x54, 0xc3, 0x67, 0x80 | PLACE.length]), Buffer.from(PLACE)])
  return Buffer.concat([Buffer.from(base64, 'base64'), tags, filler])
}

function element(id: number, length: number): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt8(id)
  head.writeBigUInt64BE((1n << 56n) | BigInt(length), 1)
  return Buffer.concat([head, Buffer.alloc(length)])
}
