// Writes a JPEG with soft shapes and noise, as a photo has them: storage-photo.mjs WIDTH HEIGHT. The package jpeg-js is in PACKAGES.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { encode } = createRequire(join(process.env.PACKAGES, 'package.json'))('jpeg-js')
const [width, height] = process.argv.slice(2).map(Number)
const data = Buffer.alloc(width * height * 4, 255)
let noise = 1
for (let at = 0; at < width * height; at += 1) {
  noise = (Math.imul(noise, 1103515245) + 12345) & 0x7fffffff
  const [x, y] = [at % width, Math.floor(at / width)]
  data[at * 4] = (x / 16 + ((noise >> 16) % 24)) & 255
  data[at * 4 + 1] = 128 + 100 * Math.sin(x / 90) + ((noise >> 20) % 8)
  data[at * 4 + 2] = 128 + 100 * Math.sin((x + y) / 150)
}
process.stdout.write(encode({ width, height, data }, 85).data)
