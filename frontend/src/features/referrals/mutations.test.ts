import { beforeEach, describe, expect, test, vi } from 'vitest'
import { captureReferral, convertReferral } from '@/features/referrals/mutations'
import { fake } from '@/testing/fake-supabase'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const ipLookup = vi.fn<typeof fetch>()
const log = vi.fn()

beforeEach(() => {
  fake.reset()
  ipLookup.mockResolvedValue(new Response('{"ip":"203.0.113.9"}'))
  vi.stubGlobal('fetch', ipLookup)
  vi.spyOn(console, 'error').mockImplementation(log)
  log.mockClear()
})

// Specification section 4, "Referral". A page load captures a code once, so that each test has a code of its own.
describe('a click', () => {
  test('is saved, recorded and counted once, also when the effect runs twice', async () => {
    await Promise.all([captureReferral('?ref=ONE'), captureReferral('?ref=ONE')])
    expect(localStorage.getItem('referralCode')).toBe('ONE')
    expect(fake.calls).toEqual([
      [
        'referral_analytics',
        'insert',
        {
          referral_code: 'ONE',
          action: 'click',
          timestamp: expect.any(String) as string,
          ip_address: '203.0.113.9',
          user_agent: navigator.userAgent,
        },
      ],
      ['rpc', 'increment_referral_clicks', { code: 'ONE' }],
    ])
  })

  test('is recorded as from "unknown" when the look-up fails', async () => {
    ipLookup.mockRejectedValue(new TypeError('Failed to fetch'))
    await captureReferral('?ref=TWO')
    expect(fake.calls[0]?.[2]).toMatchObject({ ip_address: 'unknown' })
    expect(log).not.toHaveBeenCalled()
  })

  test('that cannot be recorded is logged, and the code is kept', async () => {
    fake.answers.referral_analytics = { error: new Error('down') }
    await captureReferral('?ref=THREE')
    expect(log).toHaveBeenCalledOnce()
    expect(localStorage.getItem('referralCode')).toBe('THREE')
  })

  test('without a code is none', async () => {
    await captureReferral('?page=2')
    expect(fake.calls).toEqual([])
    expect(localStorage.getItem('referralCode')).toBeNull()
  })
})

describe('a conversion', () => {
  test('is recorded and counted, and the saved code is cleared', async () => {
    localStorage.setItem('referralCode', 'COACH-7')
    await convertReferral('ana')
    expect(fake.calls).toEqual([
      [
        'referral_analytics',
        'insert',
        {
          referral_code: 'COACH-7',
          action: 'signup',
          timestamp: expect.any(String) as string,
          converted_user_id: 'ana',
        },
      ],
      ['rpc', 'increment_referral_conversions', { code: 'COACH-7' }],
    ])
    expect(localStorage.getItem('referralCode')).toBeNull()
  })

  test('that cannot be recorded is logged and blocks nobody', async () => {
    localStorage.setItem('referralCode', 'COACH-7')
    fake.answers.referral_analytics = { error: new Error('down') }
    await expect(convertReferral('ana')).resolves.toBeUndefined()
    expect(log).toHaveBeenCalledOnce()
  })

  test('needs a saved code', async () => {
    await convertReferral('ana')
    expect(fake.calls).toEqual([])
  })
})
