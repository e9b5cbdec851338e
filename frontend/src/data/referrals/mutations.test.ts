import { beforeEach, describe, expect, test, vi } from 'vitest'
import { captureReferral, convertReferral } from '@/data/referrals/mutations'
import { awaitsConversion, expectConversion } from '@/data/referrals/kept-code'
import { queryClient } from '@/lib/query-client'
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
    await Promise.all([captureReferral('ONE'), captureReferral('ONE')])
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
    await captureReferral('TWO')
    expect(fake.calls[0]?.[2]).toMatchObject({ ip_address: 'unknown' })
    expect(log).not.toHaveBeenCalled()
  })

  test('that cannot be recorded is only logged', async () => {
    fake.answers.referral_analytics = { error: new Error('down') }
    await captureReferral('THREE')
    expect(log).toHaveBeenCalledOnce()
  })
})

describe('a conversion', () => {
  /** Ana has followed a link and signed up. */
  function signUp() {
    localStorage.setItem('referralCode', 'COACH-7')
    expectConversion('ana')
  }
  const record = {
    referral_code: 'COACH-7',
    action: 'signup',
    timestamp: expect.any(String) as string,
    converted_user_id: 'ana',
  }
  const both = [
    ['referral_analytics', 'insert', record],
    ['rpc', 'increment_referral_conversions', { code: 'COACH-7' }],
  ]

  test('is recorded and counted, and the saved code is cleared', async () => {
    signUp()
    await convertReferral('ana')
    expect(fake.calls).toEqual(both)
    expect(localStorage.length).toBe(0)
  })

  test('is one, however many tabs see the session begin', async () => {
    signUp()
    await Promise.all([convertReferral('ana'), convertReferral('ana')])
    await convertReferral('ana')
    expect(fake.calls).toEqual(both)
  })

  test('waits for a session of the account that signed up, and is nobody else’s', async () => {
    signUp()
    expect([awaitsConversion('bo'), awaitsConversion('ana')]).toEqual([false, true])
    await convertReferral('bo')
    expect(fake.calls).toEqual([])
    expect(localStorage.getItem('referralCode')).toBe('COACH-7')
  })

  test('that cannot be recorded is logged, blocks nobody and is tried again', async () => {
    signUp()
    fake.answers.referral_analytics = { error: new Error('down') }
    await expect(convertReferral('ana')).resolves.toBeUndefined()
    expect(log).toHaveBeenCalledOnce()
    fake.answers.referral_analytics = {}
    fake.calls = []
    await convertReferral('ana')
    expect(fake.calls).toEqual(both)
    expect(localStorage.length).toBe(0)
  })

  test('whose answer was lost is not recorded a second time, but counted', async () => {
    signUp()
    fake.answers.referral_analytics = { error: Object.assign(new Error('duplicate key'), { code: '23505' }) }
    await convertReferral('ana')
    expect(fake.calls).toEqual(both)
    expect(log).not.toHaveBeenCalled()
    expect(localStorage.length).toBe(0)
  })

  test('whose failure reaches the handler that notices the end of a session', async () => {
    signUp()
    const handler = vi.spyOn(queryClient.getMutationCache().config, 'onError')
    const error = Object.assign(new Error('JWT expired'), { code: 'PGRST303' })
    fake.answers.increment_referral_conversions = { error }
    await convertReferral('ana')
    expect(handler.mock.calls.map(([first]) => first)).toEqual([error])
  })

  test('needs a saved code', async () => {
    expectConversion('ana')
    await convertReferral('ana')
    expect(fake.calls).toEqual([])
    expect(localStorage.length).toBe(0)
  })
})
