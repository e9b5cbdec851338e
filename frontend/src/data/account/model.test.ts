import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SENT } from '@/data/account/model'

const MIGRATIONS = '../supabase/migrations'
const sql = readdirSync(MIGRATIONS)
  .map((name) => readFileSync(`${MIGRATIONS}/${name}`, 'utf8'))
  .join('\n')
const found = (pattern: RegExp) => [...new Set(Array.from(sql.matchAll(pattern), ([, topic]) => topic))].sort()

// Issue 10, C10: settings offer a switch only for what the database sends.
test('the bell has the topics of private.notify_user()', () => {
  expect([...SENT.app].sort()).toEqual(found(/\bnotify_user\(\s*[^,()]+,\s*'(\w+)'/g))
})

test('mails have the topics whose switch is read before mail.send()', () => {
  expect(sql.match(/\bselect mail\.send\(/g)).toHaveLength(SENT.email.length)
  expect([...SENT.email].sort()).toEqual(found(/\btopic = '(\w+)' and \w+\.channel = 'email'/g))
})
