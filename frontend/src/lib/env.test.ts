import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'

const ORIGIN = 'https://dugout.test'

test('an unfilled block means the page’s own origin', () => {
  expect(parseEnv('{}', ORIGIN)).toEqual({
    supabaseUrl: ORIGIN,
    supabaseAnonKey: '',
    ipLookupUrl: '/ip',
    adminEmailHashes: [],
    demoVideoUrl: null,
  })
})

test('a filled block is taken as it stands', () => {
  const filled = {
    supabaseUrl: 'http://127.0.0.1:54321/',
    supabaseAnonKey: 'key',
    ipLookupUrl: '/where',
    adminEmailHashes: ['ab'],
  }
  expect(parseEnv(JSON.stringify(filled), ORIGIN)).toMatchObject({ ...filled, supabaseUrl: 'http://127.0.0.1:54321' })
})

test.each(['[]', 'null', '7', '{"supabaseUrl":5,"adminEmailHashes":"x"}'])('%s is survived', (text) => {
  expect(parseEnv(text, ORIGIN).supabaseUrl).toBe(ORIGIN)
})
