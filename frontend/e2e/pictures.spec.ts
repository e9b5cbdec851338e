import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, show } from './page.ts'

/**
 * Makes the pictures of screenshots/ anew, of the seeded people:
 * `PICTURES=1 SCREENSHOTS=e2e/screenshots npx playwright test pictures`.
 */
const PICTURES = [
  { who: null, path: '/', name: 'landing', scheme: 'light' },
  { who: null, path: '/signin', name: 'sign-in', scheme: 'dark' },
  { who: null, path: '/pricing', name: 'pricing', scheme: 'light' },
  { who: 'player', path: '/', name: 'home', scheme: 'light' },
  { who: 'player', path: '/player', name: 'player', scheme: 'light' },
  { who: 'player', path: '/player', name: 'player-phone', scheme: 'dark', phone: true },
  { who: 'player', path: '/referrals', name: 'tokens', scheme: 'dark' },
  { who: 'coach', path: '/coach', name: 'coach', scheme: 'light' },
  { who: 'scout', path: '/scout', name: 'scout', scheme: 'dark' },
  { who: 'admin', path: '/admin', name: 'admin', scheme: 'dark' },
] as const

test.use({ trace: 'off', screenshot: 'off' })

test('ten screens', async ({ browser }) => {
  test.setTimeout(400_000)
  const dugout = await Dugout.start({ seeded: true })
  try {
    for (const { who, path, name, scheme, ...rest } of PICTURES) {
      const viewport = 'phone' in rest ? { width: 390, height: 844 } : { width: 1280, height: 800 }
      const page = await browser.newPage({ viewport, colorScheme: scheme, reducedMotion: 'reduce' })
      if (who) {
        await enter(page, dugout.url, who)
      }
      await page.goto(dugout.url + path)
      await expect(page.locator('h1').first()).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expect(page.locator('.animate-pulse')).toHaveCount(0)
      await show(page, name, false)
      await page.close()
    }
  } finally {
    await dugout.stop()
  }
})
