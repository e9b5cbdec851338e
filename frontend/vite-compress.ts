import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
/** What gets smaller; fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/

/**
 * Writes `<file>.br` beside each script and style sheet, with Brotli's best quality. The server sends these
 * (crates/server/src/app/site.rs); compressing for each request, it could afford a low quality only.
 */
export function compressed(): Plugin {
  return {
    name: 'dugout-compress',
    apply: 'build',
    // From the files themselves: Vite still changes the code of the bundle when it is generated.
    async writeBundle({ dir = 'dist' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(names.map((name) => writeCompressed(join(dir, name))))
    },
  }
}

async function writeCompressed(path: string) {
  const content = await readFile(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  await writeFile(`${path}.br`, await compress(content, { params }))
}
