import { useMutation } from '@tanstack/react-query'
import type { User } from '@supabase/supabase-js'
import { ACCOUNT_FALLBACK, CONFIRM_EMAIL, DUPLICATE_EMAIL, signUpFailure, signUpSuccess } from '@/data/auth/messages'
import { forgetForms, savedTier, TIER_STORAGE_KEYS, type MembershipTier } from '@/data/auth/storage'
import { codeOf } from '@/lib/errors'
import { REFERRAL_STORAGE_KEY } from '@/lib/referral-code'
import type { SignupRole } from '@/lib/role'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

/** Called with the id of a new user, and whether the sign-up brought a session. */
export type OnSignedUp = (userId: string, signedIn: boolean) => void

type Credentials = { email: string; password: string }
type SignUpValues = Credentials & { fullName: string; role: SignupRole }
type CoachValues = Credentials & {
  fullName: string
  league: string
  yearsCoaching: number
  teamName: string
  monthsCurrentLeague: number
  yearsCurrentLeague: number
  monthsCurrentTeam: number
  yearsCurrentTeam: number
}

/**
 * Creates an account.
 * @param onAwaiting called with the address that has to be confirmed first
 */
export function useSignUp(onSignedUp: OnSignedUp, onAwaiting: (email: string) => void) {
  return useMutation({
    mutationFn: ({ email, password, ...profile }: SignUpValues) => {
      const tier = savedTier(localStorage)
      return createAccount({ email, password, data: signUpMetadata(profile, tier), tier, onSignedUp })
    },
    onSuccess: ({ confirmed, email, tier }) => {
      if (confirmed) toast({ ...signUpSuccess(tier), variant: 'success' })
      else {
        toast({ title: CONFIRM_EMAIL, variant: 'info' })
        onAwaiting(email)
      }
    },
    onError: (error) => toast({ ...signUpFailure(error, 'Sign up failed'), variant: 'error' }),
  })
}

/** Creates a coach's account. */
export function useRegisterCoach(onSignedUp: OnSignedUp, onAwaiting: (email: string) => void) {
  return useMutation({
    mutationFn: ({ email, password, ...profile }: CoachValues) => {
      const tier = savedTier(localStorage)
      return createAccount({ email, password, data: coachMetadata(profile, tier), tier, onSignedUp })
    },
    onSuccess: ({ confirmed, email }) => {
      if (!confirmed) onAwaiting(email)
      toast({ title: 'Coach Account Created!', description: confirmed ? undefined : CONFIRM_EMAIL, variant: 'success' })
    },
    onError: (error) => toast({ ...signUpFailure(error, 'Coach signup failed'), variant: 'error' }),
  })
}

/** Sends the confirmation e-mail once more. */
export function useResendConfirmation() {
  return useMutation({
    mutationFn: async (email: string) => {
      const options = { emailRedirectTo: window.location.origin }
      const { error } = await supabase.auth.resend({ type: 'signup', email, options })
      if (error) throw error
    },
  })
}

/** Section 3, "Signup profile metadata"; section 6 for what the role decides. */
export function signUpMetadata({ fullName, role }: { fullName: string; role: SignupRole }, { tier }: MembershipTier) {
  return {
    full_name: fullName,
    role,
    public_profile: true,
    accept_coach_stats: role === 'player',
    membership_tier: tier,
  }
}

/** Section 3, "Coach-only additions". */
export function coachMetadata(values: Omit<CoachValues, 'email' | 'password'>, tier: MembershipTier) {
  return {
    ...signUpMetadata({ fullName: values.fullName, role: 'coach' }, tier),
    league: values.league,
    years_coaching: values.yearsCoaching,
    months_current_league: values.monthsCurrentLeague,
    years_current_league: values.yearsCurrentLeague,
    months_current_team: values.monthsCurrentTeam,
    years_current_team: values.yearsCurrentTeam,
    team_name: values.teamName,
    display_badges: true,
  }
}

type NewAccount = {
  email: string
  password: string
  data: ReturnType<typeof signUpMetadata>
  tier: MembershipTier
  onSignedUp: OnSignedUp
}

/**
 * Takes all steps in one function: the session that a sign-up may bring redirects away from /signin, which unmounts the form
 * before the later steps are done.
 */
async function createAccount({ email, password, data, tier, onSignedUp }: NewAccount) {
  const code = localStorage.getItem(REFERRAL_STORAGE_KEY)
  const answer = await supabase.auth.signUp({
    email,
    password,
    // The database counts the referral when the address is confirmed, in whichever browser that is.
    options: { data: { ...data, ...(code && { referral_code: code }) }, emailRedirectTo: window.location.origin },
  })
  const user = newUser(answer)
  TIER_STORAGE_KEYS.forEach((key) => localStorage.removeItem(key))
  forgetForms()
  // Without a session the row cannot be written; the database has created it.
  if (answer.data.session) await insertProfile(user.id, user.email ?? email, data)
  onSignedUp(user.id, answer.data.session !== null)
  return { confirmed: Boolean(user.email_confirmed_at), email, tier }
}

function newUser({ data, error }: Awaited<ReturnType<typeof supabase.auth.signUp>>): User {
  const code = codeOf(error)
  // With confirmation on, the server hides that an account exists: it answers with a user who has no identities.
  const hidden = data.user?.identities?.length === 0
  if (code === 'user_already_exists' || code === 'email_exists' || hidden) {
    throw Object.assign(new Error(ACCOUNT_FALLBACK), { code: DUPLICATE_EMAIL })
  }
  if (error) throw error
  if (!data.user) throw new Error(ACCOUNT_FALLBACK)
  return data.user
}

/**
 * Section 7's insert into users. A trigger on the account has usually created the row already, with the welcome bonus, so a
 * duplicate is no error. A failure is only logged, because the account then stays as the trigger created it.
 */
async function insertProfile(id: string, email: string, { full_name, role, public_profile }: NewAccount['data']) {
  const row = { id, email, full_name, role, user_type: role, public_profile }
  const { error } = await supabase.from('users').upsert(row, { onConflict: 'id', ignoreDuplicates: true })
  if (error) console.error('The profile could not be inserted.', error)
}
