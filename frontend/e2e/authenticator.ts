import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'

/** Milliseconds for which a code is shown. */
const STEP = 30_000

/** The code that an authenticator app shows now (RFC 6238). */
export function totp(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step()))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0x0f
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

const step = () => Math.floor(Date.now() / STEP)

/** The code after the one that is shown now: the server takes each once. */
export async function nextTotp(secret: string): Promise<string> {
  const used = step()
  await expect.poll(step, { timeout: 2 * STEP }).toBeGreaterThan(used)
  return totp(secret)
}

type Enrolled = { secret: string; used: number }

/** By server: the app in which its admin is enrolled. */
const apps = new Map<string, Enrolled>()

/** Adds an app on the page that admins see who have none. */
export async function enrol(page: Page): Promise<Enrolled> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code').fill(totp(secret))
  const used = step()
  await page.getByRole('button', { name: 'Turn on' }).click()
  // Behind the open dialog there is no heading either: only the shell says that it is done.
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
  return { secret, used }
}

/** Gets the seeded admin past the second step, or first adds one. A code counts once, so that the next is waited for. */
export async function passSecondStep(page: Page, server: string) {
  const app = apps.get(server)
  if (!app) {
    await expect(page.getByRole('heading', { name: 'Add a second factor' })).toBeVisible()
    apps.set(server, await enrol(page))
    return
  }
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expect.poll(step, { timeout: 2 * STEP }).toBeGreaterThan(app.used)
  await page.getByLabel(/^Code of/).fill(totp(app.secret))
  app.used = step()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
}
