/** The configuration in index.html's `dugout-config` block, which the server fills in. The build contains no address or key. */
export type Env = {
  /** Origin of the API, without a trailing slash; by default the page's own. */
  supabaseUrl: string
  supabaseAnonKey: string
  /** Answers `{"ip": "…"}` to a GET. */
  ipLookupUrl: string
  /** SHA-256, in hex, of the trimmed lower-case addresses that see the Admin entry. */
  adminEmailHashes: readonly string[]
  /** The landing page's demo, an address that may be framed; none unless configured. */
  demoVideoUrl: string | null
}

const BLOCK_ID = 'dugout-config'

/**
 * Reads the configuration block's text; whatever is missing or of another type takes its default.
 * @param origin the page's own origin, e.g. `https://dugout.example`
 */
export function parseEnv(text: string, origin: string): Env {
  const given = parseObject(text)
  const string = (key: string) => (typeof given[key] === 'string' ? given[key].trim() : '')
  const hashes = given.adminEmailHashes
  return {
    supabaseUrl: (string('supabaseUrl') || origin).replace(/\/+$/, ''),
    supabaseAnonKey: string('supabaseAnonKey'),
    ipLookupUrl: string('ipLookupUrl') || '/ip',
    adminEmailHashes: Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : [],
    demoVideoUrl: string('demoVideoUrl') || null,
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    console.error(`The ${BLOCK_ID} block of the page is not JSON; using the defaults.`)
    return {}
  }
}

export const env = parseEnv(document.getElementById(BLOCK_ID)?.textContent ?? '', window.location.origin)
