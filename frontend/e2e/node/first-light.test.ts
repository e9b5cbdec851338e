import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../src/types/database.ts'
import { Dugout } from '../dugout.ts'

const CODE = 'COACH-7'
const PASSWORD = 'double-play-1'
const ANA = 'ana@club.test'

let dugout: Dugout
let ana: SupabaseClient<Database>

before(async () => {
  dugout = await Dugout.start()
  await dugout.query('insert into public.referral_codes (code) values ($1)', [CODE])
  ana = await client()
})
after(() => dugout.stop())

/** A client as a fresh browser would make it, except that it remembers in memory. */
async function client(): Promise<SupabaseClient<Database>> {
  const { ANON_KEY } = await dugout.status()
  return createClient<Database>(dugout.url, ANON_KEY, { auth: { persistSession: false, autoRefreshToken: false } })
}

type Answer = { data: unknown; error: unknown }
type Good<A extends Answer> = NonNullable<Extract<A, { error: null }>['data']>

/** The data of an answer that must be good. */
function good<A extends Answer>({ data, error }: A): Good<A> {
  assert.equal(error, null)
  assert.ok(data)
  return data
}

test('1. an anonymous click is recorded and counted once a day', async () => {
  const click = { referral_code: CODE, action: 'click', ip_address: '203.0.113.9', user_agent: 'node' }
  const { error, status } = await ana.from('referral_analytics').insert(click)
  assert.equal(error, null)
  assert.equal(status, 201)
  for (const code of [CODE, CODE, 'NOBODY-1']) {
    const { error, status } = await ana.rpc('increment_referral_clicks', { code })
    assert.equal(error, null)
    assert.equal(status, 204)
  }
  assert.deepEqual(await dugout.query('select code, clicks, conversions from public.referral_codes'), [
    { code: CODE, clicks: 1, conversions: 0 },
  ])
})

test('2. sign-up answers with a session', async () => {
  const data = {
    full_name: 'Ana Ruiz',
    role: 'player',
    public_profile: true,
    accept_coach_stats: true,
    membership_tier: 'BASIC',
  }
  const { session, user } = good(await ana.auth.signUp({ email: ANA, password: PASSWORD, options: { data } }))
  assert.equal(session?.token_type, 'bearer')
  assert.equal(session.expires_in, 60)
  assert.equal(user?.email, ANA)
  assert.ok(user.email_confirmed_at)
  assert.partialDeepStrictEqual(user.user_metadata, data)
})

test('3. the account has one row and one bonus, however often it is retried', async () => {
  const id = await ownId(ana)
  const row = { id, email: ANA, full_name: 'Ana Ruiz', role: 'player', user_type: 'player', public_profile: true }
  for (let attempt = 0; attempt < 3; attempt++) {
    const { error, status } = await ana.from('users').upsert(row, { onConflict: 'id', ignoreDuplicates: true })
    assert.equal(error, null)
    assert.equal(status, 201)
  }
  const own = good(
    await ana.from('users').select('full_name, role, referral_tokens, bonus_tokens_awarded, is_admin').single(),
  )
  assert.deepEqual(own, {
    full_name: 'Ana Ruiz',
    role: 'player',
    referral_tokens: 150,
    bonus_tokens_awarded: true,
    is_admin: false,
  })
  assert.equal((await dugout.query('select 1 from public.token_ledger where user_id = $1', [id])).length, 1)

  const signup = { referral_code: CODE, action: 'signup', converted_user_id: id }
  assert.equal((await ana.from('referral_analytics').insert(signup)).error, null)
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.equal((await ana.rpc('increment_referral_conversions', { code: CODE })).error, null)
  }
  assert.deepEqual(await dugout.query('select conversions from public.referral_codes where code = $1', [CODE]), [
    { conversions: 1 },
  ])

  assert.equal((await ana.from('page_views').insert({ user_id: id, page_path: '/' })).error, null)
  const started = good(
    await ana
      .from('user_sessions')
      .insert({ user_id: id, device_type: 'Desktop' })
      .select('id, session_duration')
      .single(),
  )
  const touched = good(
    await ana
      .from('user_sessions')
      .update({ session_duration: 7 })
      .eq('id', started.id)
      .select('session_duration')
      .single(),
  )
  assert.equal(touched.session_duration, 7)
})

test('3. an owner may say a few columns and no more', async () => {
  const id = await ownId(ana)
  const renamed = good(
    await ana.from('users').update({ full_name: 'Ana R.' }).eq('id', id).select('full_name').single(),
  )
  assert.equal(renamed.full_name, 'Ana R.')
  for (const forbidden of [{ is_admin: true }, { referral_tokens: 9999 }, { role: 'scout' }]) {
    const { error, status } = await ana.from('users').update(forbidden).eq('id', id)
    assert.equal(status, 403)
    assert.equal(error?.code, '42501')
  }
})

test('4. the session outlives a killed server, rotates, and ends at sign-out', async () => {
  const id = await ownId(ana)
  await dugout.killAndRestart()
  const before = good(await ana.auth.getSession()).session
  const { session } = good(await ana.auth.refreshSession())
  assert.ok(session && before)
  assert.notEqual(session.refresh_token, before.refresh_token)
  assert.equal(await ownId(ana), id)
  assert.equal(good(await ana.from('users').select('referral_tokens').single()).referral_tokens, 150)

  assert.equal((await ana.auth.signOut()).error, null)
  const { data, error } = await ana.auth.getUser(session.access_token)
  assert.equal(data.user, null)
  // What the library makes of the server's 403 session_not_found.
  assert.equal(error?.name, 'AuthSessionMissingError')
})

test('4. she comes back by her password, and only by that', async () => {
  const wrong = await ana.auth.signInWithPassword({ email: ANA, password: 'not-this-one' })
  assert.equal(wrong.error?.status, 400)
  assert.equal(wrong.error.code, 'invalid_credentials')
  good(await ana.auth.signInWithPassword({ email: ANA, password: PASSWORD }))
  assert.equal(good(await ana.from('users').select('full_name').single()).full_name, 'Ana R.')
})

test('5. nobody else sees her rows', async () => {
  const bo = await client()
  good(await bo.auth.signUp({ email: 'bo@club.test', password: PASSWORD }))
  const nobody = await client()
  assert.equal(good(await bo.from('users').select('id')).length, 1)
  const id = await ownId(ana)
  assert.deepEqual(good(await bo.from('users').select('id').eq('id', id)), [])
  for (const table of ['page_views', 'user_sessions', 'referral_analytics'] as const) {
    assert.deepEqual(good(await bo.from(table).select('*')), [], table)
  }
  for (const table of ['users', 'page_views', 'user_sessions', 'referral_analytics'] as const) {
    const { status, error } = await nobody.from(table).select('*')
    assert.equal(status, 401, table)
    assert.equal(error?.code, '42501', table)
  }
  // Writing in her name is refused as well.
  const forged = await bo.from('page_views').insert({ user_id: id, page_path: '/forged' })
  assert.equal(forged.status, 403)
  assert.equal(forged.error?.code, '42501')
})

async function ownId(client: SupabaseClient<Database>): Promise<string> {
  return good(await client.auth.getUser()).user.id
}
