import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { expectToFit, review, show, watchConsole } from './page.ts'

const FRONTEND = resolve(import.meta.dirname, '..')
const UI = join(FRONTEND, 'src/ui')
const DESIGN = join(FRONTEND, 'src/design')

/** Exports that the page need not show: parts of other components, and invisible ones. */
const PARTS = ['confirm-content', 'crop-area', 'late-dialog', 'picture-form', 'record-form', 'skip-link']

let server: ChildProcess
let address: string

/** Vite's server needs no backend for this page. */
test.beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}/design`
  const vite = join(FRONTEND, 'node_modules/vite/bin/vite.js')
  server = spawn(process.execPath, [vite, '--port', String(port), '--strictPort', '--host', '127.0.0.1'], {
    cwd: FRONTEND,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await expect
    .poll(
      () =>
        fetch(address).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200)
})
test.afterAll(async () => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill()
  await gone
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

test('every component is on the page', () => {
  const files = readdirSync(DESIGN).map((file) => readFileSync(join(DESIGN, file), 'utf8'))
  const components = readdirSync(UI).filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  const names = components.map((file) => file.replace('.tsx', '')).filter((name) => !PARTS.includes(name))
  expect(names.length).toBeGreaterThan(25)
  expect(names.filter((name) => !files.some((text) => text.includes(`'@/ui/${name}'`)))).toEqual([])
})

test('components in every state, in both themes, on a phone and at a desk', async ({ page }) => {
  // Some pictures fail to load on purpose.
  const problems = watchConsole(page, '/nothing.jpg')
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Design' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'Button' }).getByRole('button', { name: 'Disabled' })).toHaveCount(7)
  await review(page, 'design')
  expect(problems).toEqual([])
})

test('dialogs, menus and toasts fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(address)
  for (const name of ['Dialog', 'Sheet', 'Question', 'Birth date', 'Record', 'Picture']) {
    await page.getByRole('button', { name, exact: true }).click({ timeout: 60_000 })
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible()
    await expectToFit(page)
    await show(page, `design-${name.toLowerCase().replace(' ', '-')}`, false)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0)
  }
  for (const variant of ['default', 'destructive', 'success', 'error', 'warning', 'info']) {
    await page.getByRole('region', { name: 'Toast' }).getByRole('button', { name: variant }).click()
    await expect(page.getByText(`A toast: ${variant}`, { exact: true })).toBeVisible()
  }
  await expectToFit(page)
  await show(page, 'design-toasts', false)
})
