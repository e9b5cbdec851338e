type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[]; code: string | null } | null }

const SRC = `${import.meta.dirname}/src`
/** Libraries that change more rarely than the app: a release leaves these files in the browser's cache. */
const LIBRARIES: readonly (readonly [string, RegExp])[] = [
  ['react', /node_modules\/(react|react-dom|react-router|scheduler)\//],
  ['supabase', /node_modules\/(@supabase|iceberg-js|tslib)\//],
  ['marked', /node_modules\/marked\//],
  ['forms', /node_modules\/(zod|react-hook-form|@hookform)\//],
]
/** What each file is made of: all that these modules need, without what is in a file before it. */
const FILES: readonly (readonly [string, string])[] = [
  ['start', 'start.ts'],
  ['base', 'main.tsx'],
  ['data', 'app/data.tsx'],
  ['shell', 'app/shell/shell.tsx'],
]
/** Screens are drawn without the forms and dialogs of their features, which are a file of their own. */
const LATE_FORMS = /\/src\/(features|data|ui)\//
/** Rows that the screens of several features show. In the files of their own features, they would bring these screens along. */
const RECORDS = /\/src\/data\/(games|media|players|teams|timeline)\//
/** The scorebook, which the page of a game does not need but for the count of pitches. */
const SCORING = /\/src\/features\/games\/(scoring\/(?!(pitches|kinds|standing)\.ts$)|routes\/score)/
/** Dialogs, menus and toasts: nothing that a first look needs. */
const OVERLAYS =
  /node_modules\/(@floating-ui|aria-hidden|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar)\/|@radix-ui\/react-(dialog|popover|popper|dismissable-layer|focus-scope|focus-guards|toast|portal|arrow)\/|\/src\/ui\/(dialog|popover|confirm-content|toast\/toaster)\.tsx$/
const FORM_PARTS = /\/src\/(lib\/(draft|fields)|ui\/field)\.tsx?$/
/** Needed on one screen only. */
const ELSEWHERE =
  /node_modules\/(qrcode\.react|fflate|tus-js-client|js-base64|url-parse|querystringify|requires-port)\/|\/src\/(lib\/movies\/|ui\/(crop|crop-area|pictures|picture-form)\.tsx?$|data\/(media\/video-uploads|timeline\/media)|features\/players\/components\/(upload-video-form|video-player)\.tsx$)/
/** Icons and the parts of buttons are reached through barrels. */
const SLOT = /node_modules\/@radix-ui\/react-(slot|compose-refs)\//
const ICON = /node_modules\/lucide-react\/.*\/icons\/([\w-]+)\.m?js$/
const ICON_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g
/** Imports every component there is, of which most are left out of the files. */
const BARREL = /node_modules\/radix-ui\//

let files: Map<string, string> | undefined
let icons: Map<string, string> | undefined

/** The file that a module goes into; null leaves that to the bundler. */
export function chunkOf(id: string, modules: Modules): string | null {
  const library = LIBRARIES.find(([, test]) => test.test(id))
  if (library) return library[0]
  files ??= filesOf(modules)
  icons ??= iconsOf(files, modules)
  const icon = ICON.exec(id)?.[1]
  if (icon) return icons.get(icon) ?? 'icons'
  if (SLOT.test(id)) return 'base'
  const file = files.get(id)
  if (file) return file
  if (ELSEWHERE.test(id)) return null
  if (OVERLAYS.test(id)) return 'overlays'
  if (FORM_PARTS.test(id)) return 'fields'
  if (SCORING.test(id)) return 'scoring'
  if (needsForms(id, modules) && LATE_FORMS.test(id)) return `${featureOf(id) ?? 'record'}-forms`
  if (RECORDS.test(id)) return 'records'
  if (/node_modules|\/src\/(ui|lib)\/|\/src\/data\/[\w-]+\.ts/.test(id)) return 'kit'
  return featureOf(id)
}

/** Folders of data whose only screens are those of one feature, in whose file they are. */
const DATA_OF: Readonly<Record<string, string>> = { account: 'settings', security: 'settings' }

function featureOf(id: string): string | null {
  const folder = /\/src\/(?:features|data)\/([\w-]+)\//.exec(id)?.[1]
  return folder ? (DATA_OF[folder] ?? folder) : null
}

const isForm = (id: string) => LIBRARIES.some(([name, test]) => name === 'forms' && test.test(id)) || OVERLAYS.test(id)
const needsForms = (id: string, modules: Modules) => [...reachable([id], modules)].some(isForm)

function filesOf(modules: Modules): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, entry] of FILES) {
    for (const id of reachable([`${SRC}/${entry}`], modules)) if (!found.has(id)) found.set(id, name)
  }
  return found
}

/** Every module that the entries import, directly or not, without the parts that are loaded later. */
function reachable(entries: readonly string[], modules: Modules): Set<string> {
  const found = new Set(entries)
  for (const id of found) {
    if (!BARREL.test(id)) modules.getModuleInfo(id)?.importedIds.forEach((imported) => found.add(imported))
  }
  return found
}

/** The icons that modules import by name, as their files are called; their barrel reaches all there are. */
function iconsOf(files: Map<string, string>, modules: Modules): Map<string, string> {
  const found = new Map<string, string>()
  for (const [id, file] of files) {
    const code = id.includes('node_modules') ? '' : (modules.getModuleInfo(id)?.code ?? '')
    const lists = Array.from(code.matchAll(ICON_IMPORT), ([, names = '']) => names.split(','))
    for (const name of lists.flat()) {
      const icon = (name.trim().split(' ')[0] ?? '').replace(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase()
      if (!found.has(icon)) found.set(icon, file)
    }
  }
  return found
}
