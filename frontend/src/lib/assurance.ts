import type { Session } from '@supabase/supabase-js'
import { claimsOf } from '@/lib/token-claims'

/** Whether the session's user has a second factor that this session has not shown yet. */
export function needsSecondFactor(session: Session | null): session is Session {
  const factors = session?.user.factors ?? []
  return factors.some(({ status }) => status === 'verified') && assuranceOf(session?.access_token) === 'aal1'
}

/** Whether the session has shown a second factor. */
export const hasShownSecondFactor = (session: Session | null) => assuranceOf(session?.access_token) === 'aal2'

/** The claim `aal` of an access token: `aal1` for one factor, `aal2` for two. */
const assuranceOf = (token?: string): unknown => claimsOf(token).aal
