import { defineConfig, devices } from '@playwright/test'

/** Journeys in Debian's Chromium against the real binary, which e2e/dugout.ts starts. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/template.ts',
  // No test: it makes the pictures of the README.
  testIgnore: process.env.PICTURES ? [] : 'pictures.spec.ts',
  // Each file starts a server and a PostgreSQL of its own, on a copy of what globalSetup makes.
  workers: 2,
  timeout: 120_000,
  // A journey that fails once and passes then is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    screenshot: 'only-on-failure',
    // Recording costs a third of the time.
    trace: process.env.TRACE ? 'on' : 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
