type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[]; code: string | null } | null }

const ENTRY = `${import.meta.dirname}/src/main.tsx`
/** Libraries that change more rarely than the app: a release leaves these files in the browser's cache. */
const LIBRARIES: readonly (readonly [string, RegExp])[] = [
  ['react', /node_modules\/(react|react-dom|react-router|scheduler)\//],
  ['supabase', /node_modules\/(@supabase|iceberg-js|tslib)\//],
  ['forms', /node_modules\/(zod|react-hook-form|@hookform)\//],
]
/** Needed on one screen only, or by the first page, which reaches it through the barrel. */
const ELSEWHERE = /node_modules\/(qrcode\.react|fflate|@radix-ui\/react-(slot|compose-refs))\//
const ICON = /node_modules\/lucide-react\/.*\/icons\/([\w-]+)\.m?js$/
const ICON_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g
/** Imports every component there is, of which most are left out of the files. */
const BARREL = /node_modules\/radix-ui\//

let first: ReadonlySet<string> | undefined
let firstIcons: ReadonlySet<string> | undefined

/** The file that a module goes into; null leaves that to the bundler, which puts what the first page needs into the entry. */
export function chunkOf(id: string, modules: Modules): string | null {
  const library = LIBRARIES.find(([, test]) => test.test(id))
  if (library) return library[0]
  first ??= reachable(ENTRY, modules)
  const icon = ICON.exec(id)?.[1]
  if (icon) {
    firstIcons ??= iconsOf(first, modules)
    return firstIcons.has(icon) ? 'base' : 'icons'
  }
  if (first.has(id)) return 'base'
  if (ELSEWHERE.test(id)) return null
  if (/node_modules|\/src\/(ui|lib)\//.test(id)) return 'kit'
  return /\/src\/features\/([\w-]+)\//.exec(id)?.[1] ?? null
}

/** Every module that `entry` imports, directly or not, without the parts that are loaded later. */
function reachable(entry: string, modules: Modules): Set<string> {
  const found = new Set([entry])
  for (const id of found) {
    if (!BARREL.test(id)) modules.getModuleInfo(id)?.importedIds.forEach((imported) => found.add(imported))
  }
  return found
}

/** The icons that modules import by name, as their files are called; their barrel reaches all there are. */
function iconsOf(ids: ReadonlySet<string>, modules: Modules): Set<string> {
  const code = Array.from(ids, (id) => (id.includes('node_modules') ? '' : (modules.getModuleInfo(id)?.code ?? '')))
  const lists = code.flatMap((text) => Array.from(text.matchAll(ICON_IMPORT), ([, names = '']) => names.split(',')))
  const names = lists.flat().map((name) => name.trim().split(' ')[0] ?? '')
  return new Set(names.map((name) => name.replace(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase()))
}
