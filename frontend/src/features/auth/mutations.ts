import { useMutation } from '@tanstack/react-query'
import type { Session, User } from '@supabase/supabase-js'
import { needsSecondFactor } from '@/lib/assurance'
import { forgetDraft } from '@/lib/draft-storage'
import { codeOf } from '@/lib/errors'
import { leave } from '@/lib/leave'
import { paths } from '@/lib/paths'
import { REFERRAL_STORAGE_KEY } from '@/lib/referral-code'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'
import {
  ACCOUNT_FALLBACK,
  CONFIRM_EMAIL,
  DUPLICATE_EMAIL,
  decisionFailure,
  passkeyFailure,
  resetFailure,
  signInFailure,
  signUpFailure,
  signUpSuccess,
} from '@/features/auth/messages'
import {
  AWAITING_KEY,
  COACH_DRAFT,
  coachMetadata,
  savedTier,
  SIGN_IN_DRAFT,
  SIGN_UP_DRAFT,
  signUpMetadata,
  TIER_STORAGE_KEYS,
  type CoachValues,
  type MembershipTier,
  type SignUpValues,
} from '@/features/auth/model'

/** Told the id of a user who has just signed up, and whether that brought a session; app/ connects it to the referrals. */
export type OnSignedUp = (userId: string, signedIn: boolean) => void

/** @param onAwaiting called with an address that is not confirmed yet */
export function useSignIn(onAwaiting: (email: string) => void) {
  return useMutation({
    mutationFn: async (credentials: { email: string; password: string }) => {
      const { data, error } = await supabase.auth.signInWithPassword(credentials)
      if (error) throw error
      return data.session
    },
    onSuccess: enter,
    onError: (error, { email }) => {
      toast({ ...signInFailure(error), variant: 'error' })
      if (codeOf(error) === 'email_not_confirmed') onAwaiting(email)
    },
  })
}

export function useSignInWithPasskey() {
  return useMutation({
    mutationFn: async () => {
      const { data, error } = await supabase.auth.signInWithPasskey()
      if (error) throw error
      return data.session
    },
    onSuccess: enter,
    onError: (error) => toast({ ...passkeyFailure(error), variant: 'error' }),
  })
}

/** Sends a code to a phone that is a second factor, and says what to call it by. */
export function useSendCode() {
  return useMutation({
    mutationFn: async (factorId: string) => {
      const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: 'sms' })
      if (error) throw error
      return data.id
    },
  })
}

type Proof = {
  factorId: string
  /** Only where the code was sent for it. */
  challengeId?: string
  code: string
}

/** The second step with a code; the session that comes of it takes its screen away. */
export function useProveByCode() {
  return useMutation({
    mutationFn: async ({ factorId, challengeId, code }: Proof) => {
      const { mfa } = supabase.auth
      const { error } = challengeId
        ? await mfa.verify({ factorId, challengeId, code })
        : await mfa.challengeAndVerify({ factorId, code })
      if (error) throw error
    },
    onSuccess: welcome,
  })
}

/** The same with a security key. */
export function useProveByKey() {
  return useMutation({
    mutationFn: async (factorId: string) => {
      const { error } = await supabase.auth.mfa.webauthn.authenticate({ factorId })
      if (error) throw error
    },
    onSuccess: welcome,
  })
}

/** Who has a second factor is not in yet. Nobody who has an account goes on with a registration. */
function enter(session: Session | null) {
  forgetDrafts()
  if (!needsSecondFactor(session)) welcome()
}

function forgetDrafts() {
  sessionStorage.removeItem(AWAITING_KEY)
  for (const id of [SIGN_IN_DRAFT, SIGN_UP_DRAFT, COACH_DRAFT]) forgetDraft(id)
}

function welcome() {
  toast({ title: 'Welcome back!', variant: 'success' })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: async (email: string) => {
      const redirectTo = window.location.origin + paths.resetPassword
      const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo })
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Password reset email sent', variant: 'success' }),
    onError: (error) => toast({ ...resetFailure(error), variant: 'error' }),
  })
}

/** The password after a reset: the link has signed its owner in. */
export function useNewPassword() {
  return useMutation({
    mutationFn: async (password: string) => {
      const { error } = await supabase.auth.updateUser({ password })
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Your password is changed', variant: 'success' }),
  })
}

export type Decision = 'approve' | 'deny'

/** Tells the server what the user decided, and goes where it says: back to the app that asked. */
export function useDecide(authorizationId: string) {
  return useMutation({
    mutationFn: async (decision: Decision) => {
      const { oauth } = supabase.auth
      const options = { skipBrowserRedirect: true }
      const { data, error } =
        decision === 'approve'
          ? await oauth.approveAuthorization(authorizationId, options)
          : await oauth.denyAuthorization(authorizationId, options)
      if (error) throw error
      return data.redirect_url
    },
    onSuccess: leave,
    onError: (error) => toast({ ...decisionFailure(error), variant: 'error' }),
  })
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

/** The same for a coach. */
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

type NewAccount = {
  email: string
  password: string
  data: ReturnType<typeof signUpMetadata>
  tier: MembershipTier
  onSignedUp: OnSignedUp
}

/**
 * One step after another in one function, because the session that signing up brings takes the form off the page
 * (/signin redirects) before the steps after it are done.
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
  forgetDrafts()
  // Without a session nobody may write yet; the database has made the row by itself.
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
 * Section 7's insert into users. A trigger on the account has made the row already, with the welcome bonus, so a
 * duplicate is the usual case and no error; the columns are those an owner may name. Failing leaves the account
 * as the trigger made it, so it is only logged.
 */
async function insertProfile(id: string, email: string, { full_name, role, public_profile }: NewAccount['data']) {
  const row = { id, email, full_name, role, user_type: role, public_profile }
  const { error } = await supabase.from('users').upsert(row, { onConflict: 'id', ignoreDuplicates: true })
  if (error) console.error('The profile could not be inserted.', error)
}
