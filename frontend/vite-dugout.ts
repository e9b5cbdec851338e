import type { Plugin, ProxyOptions } from 'vite'

/** What `dugout start --dev` and `supabase start` listen on. */
const DEFAULT_URL = 'http://127.0.0.1:54321'

/**
 * The anon key of every local Supabase stack, printed by `supabase start` and by `dugout start --dev`.
 * It is signed with a secret that is public too, opens nothing but a local server, and lasts until 2032.
 */
const LOCAL_ANON_KEY =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0'

const PROXIED = ['/auth/v1', '/rest/v1', '/realtime/v1', '/storage/v1', '/functions/v1', '/ip']

const CONFIG_BLOCK = /(<script id="dugout-config" type="application\/json">)([\s\S]*?)(<\/script>)/

/**
 * Lets Vite's dev server stand in for the binary's static files: it fills index.html's configuration block
 * and passes the API's addresses on to the server at `DUGOUT_URL`.
 * The anon key is `DUGOUT_ANON_KEY`, else what the server's own page says, else the local one.
 */
export function dugoutDevServer(): Plugin {
  const target = process.env.DUGOUT_URL ?? DEFAULT_URL
  const proxied: ProxyOptions = { target, ws: true, xfwd: true }
  return {
    name: 'dugout-dev-server',
    apply: 'serve',
    config: () => ({ server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, proxied])) } }),
    async transformIndexHtml(html) {
      const config = { ...(await configOf(target)), supabaseUrl: '', ipLookupUrl: '/ip' }
      return html.replace(CONFIG_BLOCK, (_, open: string, __, close: string) => open + scriptSafe(config) + close)
    },
  }
}

async function configOf(target: string): Promise<Record<string, unknown>> {
  if (process.env.DUGOUT_ANON_KEY) return { supabaseAnonKey: process.env.DUGOUT_ANON_KEY }
  const page = await fetch(target).then(
    (answer) => answer.text(),
    () => '',
  )
  const block = CONFIG_BLOCK.exec(page)?.[2]
  const served: unknown = block ? JSON.parse(block) : {}
  return { supabaseAnonKey: LOCAL_ANON_KEY, ...(served as object) }
}

/** JSON that cannot end the script element it stands in. */
function scriptSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
