import type { AuthChangeEvent, Session } from '@supabase/supabase-js'
import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** A request as the code under test put it: `['referral_analytics', 'insert', {…}]`, `['rpc', 'name', {…}]`. */
export type Call = readonly unknown[]

type Answer = { data?: unknown; error?: Error | null }

type Listener = (event: AuthChangeEvent, session: Session | null) => void

/** Who wants to know of auth events. */
let listener: Listener | null = null

/**
 * Stands in for lib/supabase where a test is about which requests are made, in which order, and what their failure does.
 * Whether the server likes them is for e2e/ to say, against the real one.
 */
export const fake = {
  calls: [] as Call[],
  /** By table or procedure: what it answers; nothing at all unless said. */
  answers: {} as Record<string, Answer>,
  auth: {
    signUp: vi.fn(),
    resend: vi.fn(),
    signInWithPassword: vi.fn(),
    resetPasswordForEmail: vi.fn(),
    signOut: vi.fn(),
    onAuthStateChange: vi.fn(),
    refreshSession: vi.fn(),
    signInWithPasskey: vi.fn(),
    registerPasskey: vi.fn(),
    updateUser: vi.fn(),
    reauthenticate: vi.fn(),
    getSession: vi.fn(),
  },
  oauth: {
    getAuthorizationDetails: vi.fn(),
    approveAuthorization: vi.fn(),
    denyAuthorization: vi.fn(),
    listGrants: vi.fn(),
    revokeGrant: vi.fn(),
  },
  passkey: { list: vi.fn(), update: vi.fn(), delete: vi.fn() },
  mfa: { listFactors: vi.fn(), enroll: vi.fn(), challengeAndVerify: vi.fn(), unenroll: vi.fn() },
  key: { register: vi.fn(), authenticate: vi.fn() },
  /** Lets the library announce an event, once the app listens, and the app settle. */
  async say(event: AuthChangeEvent, session: Session | null) {
    await act(async () => {
      const announce = await vi.waitUntil(() => listener)
      announce(event, session)
    })
  },
  reset() {
    this.calls = []
    this.answers = {}
    listener = null
    const methods = { ...this.auth, ...this.oauth, ...this.passkey, ...this.mfa, ...this.key }
    Object.values(methods).forEach((method) => method.mockReset())
    this.auth.onAuthStateChange.mockImplementation((given: Listener) => {
      listener = given
      return { data: { subscription: { unsubscribe: () => undefined } } }
    })
  },
}

const WRITES = ['insert', 'upsert', 'update']

/** Like PostgREST's builder: every method returns it again, awaiting it gives the answer. */
function builder(name: string): object {
  let throws = false
  const answer = () => {
    const { data = null, error = null } = fake.answers[name] ?? {}
    return throws && error ? Promise.reject(error) : Promise.resolve({ data, error })
  }
  const self: object = new Proxy(
    {},
    {
      get: (_, method: string) => {
        if (method === 'then') return (...handlers: Parameters<Promise<unknown>['then']>) => answer().then(...handlers)
        return (...args: unknown[]) => {
          throws ||= method === 'throwOnError'
          if (WRITES.includes(method)) fake.calls.push([name, method, ...args])
          return self
        }
      },
    },
  )
  return self
}

/** A channel on which nothing is heard. */
const channel: object = { on: () => channel, subscribe: () => channel }

/** For `vi.mock('@/lib/supabase', …)`. */
export const fakeModule = {
  supabase: {
    realtime: { setAuth: () => Promise.resolve() },
    channel: () => channel,
    removeChannel: () => Promise.resolve('ok'),
    auth: { ...fake.auth, oauth: fake.oauth, passkey: fake.passkey, mfa: { ...fake.mfa, webauthn: fake.key } },
    from: builder,
    rpc: (name: string, args: unknown) => {
      fake.calls.push(['rpc', name, args])
      return builder(name)
    },
  },
  unwrap: ({ data, error }: Answer) => {
    if (error) throw error
    return data
  },
}
