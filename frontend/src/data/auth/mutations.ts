import { useMutation } from '@tanstack/react-query'
import type { Session } from '@supabase/supabase-js'
import { decisionFailure, passkeyFailure, resetFailure, signInFailure } from '@/data/auth/messages'
import { forgetForms } from '@/data/auth/storage'
import { needsSecondFactor } from '@/lib/assurance'
import { codeOf } from '@/lib/errors'
import { leave } from '@/lib/leave'
import { paths } from '@/lib/paths'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

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

type Proof = {
  factorId: string
  /** Only for codes that were sent to a phone. */
  challengeId?: string
  code: string
}

/** Verifies a second factor by its code. The new session then replaces the screen that asked. */
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

/** Verifies a second factor that is a security key. */
export function useProveByKey() {
  return useMutation({
    mutationFn: async (factorId: string) => {
      const { error } = await supabase.auth.mfa.webauthn.authenticate({ factorId })
      if (error) throw error
    },
    onSuccess: welcome,
  })
}

/** With a second factor the sign-in is not complete yet. */
function enter(session: Session | null) {
  forgetForms()
  if (!needsSecondFactor(session)) welcome()
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

/** Sets the new password after a reset, whose link has signed the user in. */
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

/** Sends the user's decision and goes to the address that the server answers with: back to the app that asked. */
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
