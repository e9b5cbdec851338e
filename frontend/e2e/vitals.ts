import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { passSecondStep } from './authenticator.ts'
import { Dugout } from './dugout.ts'
import { SCREENS, VISITORS } from './screens.ts'

/**
 * Measures every screen on a slow phone and prints a table: `npm run vitals`, or `npm run vitals -- player /settings` for
 * the screens whose line contains one of the words. The exit code says whether all stay within the limits.
 * The phone: 390 × 844, a CPU four times slower, and Lighthouse's slow 4G (150 ms, 1.6 Mbit/s down, 750 kbit/s up), cold cache.
 */

const CPU = 4
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 }
const LIMITS = { lcp: 2500, cls: 0.1, tbt: 300, inp: 200 }
/** Milliseconds without a request or a long task after which a screen has settled. */
const QUIET = 1500
/** Milliseconds in which a tap's next frames are painted, and what it opens has moved in. */
const AFTER_TAP = 800
/** Controls that change nothing on the server when they are tapped, the first of which is tapped. */
const HARMLESS = [
  '[role="tab"][aria-selected="false"]',
  'input:not([type="checkbox"], [type="radio"], [type="file"])',
  'textarea',
  'select',
  '[aria-haspopup]',
]
  .map((control) => `main ${control}:visible`)
  .join(', ')
const PATIENCE = 30_000
/** Runs of each screen. The fastest counts: other work on the machine only ever makes a run slower. */
const RUNS = Number(process.env.RUNS ?? 1)

type Vitals = {
  lcp: number
  cls: number
  tbt: number
  inp: number
  requests: number
  kilobytes: number
  element: string
}
/** What the page collects about itself. */
type Collected = {
  lcp: number
  element: string
  shifts: [number, number][]
  tasks: [number, number][]
  /** Of the longest tap so far, from the finger to the next paint. */
  inp: number
  fcp: number
  last: number
}

declare global {
  interface Window {
    vitals: Collected
  }
}

const wanted = process.argv.slice(2)
const dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
let tooSlow = 0
try {
  console.log(
    '| Screen | Largest paint, ms | Layout shift | Blocking, ms | Tap to paint, ms | Requests | kB | |\n|---|---|---|---|---|---|---|---|',
  )
  for (const [who, screens] of [['visitor', VISITORS] as const, ...Object.entries(SCREENS)]) {
    const chosen = screens.filter(({ path, open }) => !open && isWanted(`${who} ${path}`))
    if (chosen.length === 0) continue
    const context = await phone(browser)
    if (who !== 'visitor') await enter(context, who)
    for (const { path } of chosen) print(`${who} ${path}`, fastest(await measureOften(context, path)))
    await context.close()
  }
} finally {
  await browser.close()
  await dugout.stop()
}
process.exitCode = tooSlow > 0 ? 1 : 0

function isWanted(line: string): boolean {
  return wanted.length === 0 || wanted.some((word) => line.includes(word))
}

function phone(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
}

/** Signs a seeded user in, unthrottled; the context keeps the session. */
async function enter(context: BrowserContext, who: string) {
  const page = await context.newPage()
  await page.goto(`${dugout.url}/signin`)
  await page.getByLabel('Email').fill(`${who}@dugout.test`)
  await page.getByLabel('Password').fill('dugout-demo')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(`${dugout.url}/`)
  await page.locator('h1').first().waitFor()
  if (who === 'admin') await passSecondStep(page, dugout.url)
  await page.close()
}

async function measureOften(context: BrowserContext, path: string): Promise<Vitals[]> {
  const all: Vitals[] = []
  for (let run = 0; run < RUNS; run += 1) all.push(await measure(context, path))
  return all
}

async function measure(context: BrowserContext, path: string): Promise<Vitals> {
  const page = await context.newPage()
  await page.addInitScript(collect)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  let [requests, bytes, open, touched] = [0, 0, 0, Date.now()]
  devtools.on('Network.requestWillBeSent', () => ((requests += 1), (open += 1), (touched = Date.now())))
  devtools.on(
    'Network.loadingFinished',
    ({ encodedDataLength }) => ((bytes += encodedDataLength), (open -= 1), (touched = Date.now())),
  )
  devtools.on('Network.loadingFailed', () => ((open -= 1), (touched = Date.now())))
  await page.goto(dugout.url + path, { waitUntil: 'load', timeout: PATIENCE })
  const deadline = Date.now() + PATIENCE
  while (Date.now() < deadline && (open > 0 || Date.now() - touched < QUIET)) await page.waitForTimeout(100)
  const collected = await page.evaluate(() => window.vitals)
  const inp = await tap(page)
  if (process.env.SHIFTS) console.error(path, JSON.stringify(await shiftSources(page)))
  if (process.env.WATERFALL) console.error((await waterfall(page)).join('\n'))
  await page.close()
  return { ...judge(collected), inp, requests, kilobytes: Math.round(bytes / 1000) }
}

/** Taps the menu button and the first harmless control, and returns the longest time to the next paint. */
async function tap(page: Page): Promise<number> {
  const menu = page.getByRole('button', { name: 'Open menu' })
  if (await menu.isVisible()) {
    await menu.tap()
    await page.waitForTimeout(AFTER_TAP)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(AFTER_TAP)
  }
  const control = page.locator(HARMLESS).first()
  if (await control.isVisible()) {
    await control.tap()
    await page.waitForTimeout(AFTER_TAP)
  }
  return Math.round(await page.evaluate(() => window.vitals.inp))
}

function judge({ lcp, element, shifts, tasks, fcp }: Collected): Pick<Vitals, 'lcp' | 'cls' | 'tbt' | 'element'> {
  const blocking = tasks.filter(([start]) => start >= fcp).map(([, duration]) => Math.max(0, duration - 50))
  return {
    lcp: Math.round(lcp),
    cls: worstWindow(shifts),
    tbt: Math.round(blocking.reduce((sum, ms) => sum + ms, 0)),
    element,
  }
}

/** https://web.dev/articles/cls: the largest sum of shifts less than 1 s apart, within 5 s. */
function worstWindow(shifts: readonly [number, number][]): number {
  let [worst, sum, first, last] = [0, 0, -Infinity, -Infinity]
  for (const [time, value] of shifts) {
    if (time - last > 1000 || time - first > 5000) [sum, first] = [0, time]
    sum += value
    last = time
    worst = Math.max(worst, sum)
  }
  return worst
}

function fastest(runs: Vitals[]): Vitals {
  const [one] = runs.toSorted((a, b) => a.lcp + a.tbt + a.inp - b.lcp - b.tbt - b.inp)
  if (!one) throw new Error('RUNS must be at least 1.')
  return one
}

function print(screen: string, { lcp, cls, tbt, inp, requests, kilobytes, element }: Vitals) {
  const over = [
    lcp >= LIMITS.lcp && 'paint',
    cls >= LIMITS.cls && 'shift',
    tbt >= LIMITS.tbt && 'blocking',
    inp >= LIMITS.inp && 'tap',
  ].filter(Boolean)
  if (over.length > 0) tooSlow += 1
  console.log(
    `| ${screen} | ${lcp} | ${cls.toFixed(3)} | ${tbt} | ${inp} | ${requests} | ${kilobytes} | ${over.length > 0 ? `over: ${over.join(', ')}; ` : ''}${element} |`,
  )
}

/** Runs in the page before anything else. */
function collect() {
  const vitals: Collected = { lcp: 0, element: '', shifts: [], tasks: [], inp: 0, fcp: 0, last: 0 }
  window.vitals = vitals
  const watch = (type: string, seen: (entry: PerformanceEntry) => void) => {
    // The threshold is for events alone, of which it is the shortest that is allowed.
    const options = { type, buffered: true, durationThreshold: 16 }
    new PerformanceObserver((list) => list.getEntries().forEach(seen)).observe(options)
  }
  watch('largest-contentful-paint', (entry) => {
    const { element } = entry as PerformanceEntry & { element?: Element }
    vitals.lcp = entry.startTime
    vitals.element = `${element?.tagName.toLowerCase() ?? ''} "${element?.textContent.slice(0, 30) ?? ''}"`
  })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') vitals.fcp = startTime
  })
  watch('longtask', ({ startTime, duration }) => vitals.tasks.push([startTime, duration]))
  watch('event', (entry) => {
    const { duration, interactionId } = entry as PerformanceEntry & { interactionId: number }
    if (interactionId > 0) vitals.inp = Math.max(vitals.inp, duration)
  })
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) vitals.shifts.push([entry.startTime, value])
  })
}

/** When each request began and ended, in milliseconds, and its bytes: `WATERFALL=1` shows it. */
function waterfall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, startTime, responseEnd, transferSize }) =>
        `${Math.round(startTime)}-${Math.round(responseEnd)} ${transferSize} ${name.replace(location.origin, '').slice(0, 110)}`,
    ),
  )
}

/** What moved between two frames: `SHIFTS=1` shows it. */
function shiftSources(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((done) => {
        const lines: string[] = []
        type Shift = PerformanceEntry & {
          value: number
          sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[]
        }
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) {
            const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
              const element = node instanceof Element ? node : node?.parentElement
              return `${element?.tagName ?? '?'} "${element?.textContent.slice(0, 25) ?? ''}" ${previousRect.y}→${currentRect.y} h ${previousRect.height}→${currentRect.height}`
            })
            lines.push(`${Math.round(entry.startTime)} ms ${entry.value.toFixed(3)}: ${moved.join('; ')}`)
          }
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(lines), 200)
      }),
  )
}
