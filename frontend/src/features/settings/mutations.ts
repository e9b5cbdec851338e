import { useMutation, useQueryClient } from '@tanstack/react-query'
import { codeOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'
import { securityReason } from '@/features/settings/messages'
import { sessionIdOf } from '@/features/settings/model'
import { factorsQuery, passkeysQuery } from '@/features/settings/queries'

/** A factor that waits for its first code. The secret is shown once. */
export type NewApp = { factorId: string; qrCode: string; secret: string }

/** Begins with an authenticator app. */
export function useEnrollApp() {
  return useMutation({
    mutationFn: async (friendlyName: string): Promise<NewApp> => {
      const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName })
      if (error) throw error
      return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
    },
  })
}

/** Gives up on an app that nobody has verified. What fails is cleared away by the server in its time. */
export function useForgetApp() {
  return useMutation({
    mutationFn: async (factorId: string) => {
      await supabase.auth.mfa.unenroll({ factorId })
    },
  })
}

export function useVerifyApp(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (proof: { factorId: string; code: string }) => {
      const { error } = await supabase.auth.mfa.challengeAndVerify(proof)
      if (error) throw error
    },
    onSuccess: async () => {
      toast({ title: 'Two-step sign-in is on', variant: 'success' })
      await client.invalidateQueries(factorsQuery(userId))
    },
  })
}

export function useAddKey(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (friendlyName: string) => {
      const { error } = await supabase.auth.mfa.webauthn.register({ friendlyName })
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Security key added', variant: 'success' }),
    onSettled: () => client.invalidateQueries(factorsQuery(userId)),
  })
}

export function useRemoveFactor(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (factorId: string) => {
      const { error } = await supabase.auth.mfa.unenroll({ factorId })
      if (error) throw error
      // The token in hand still says that there are two factors.
      await supabase.auth.refreshSession()
    },
    onSuccess: () => toast({ title: 'Second factor removed', variant: 'success' }),
    onError: (error) => toast({ title: 'Not removed', description: securityReason(error), variant: 'error' }),
    onSettled: () => client.invalidateQueries(factorsQuery(userId)),
  })
}

export function useAddPasskey(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { error } = await supabase.auth.registerPasskey()
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Passkey added', variant: 'success' }),
    onError: (error) => toast({ title: 'No passkey added', description: securityReason(error), variant: 'error' }),
    onSettled: () => client.invalidateQueries(passkeysQuery(userId)),
  })
}

export function useRenamePasskey(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) => {
      const { error } = await supabase.auth.passkey.update({ passkeyId: id, friendlyName: name })
      if (error) throw error
    },
    onSettled: () => client.invalidateQueries(passkeysQuery(userId)),
  })
}

export function useRemovePasskey(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (passkeyId: string) => {
      const { error } = await supabase.auth.passkey.delete({ passkeyId })
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Passkey removed', variant: 'success' }),
    onError: (error) => toast({ title: 'Not removed', description: securityReason(error), variant: 'error' }),
    onSettled: () => client.invalidateQueries(passkeysQuery(userId)),
  })
}

/** Signs in once more over the session there is, which then is ended, so that the list does not grow. */
export function useConfirmPassword(email: string) {
  return useMutation({
    mutationFn: async (password: string) => {
      const before = sessionIdOf((await supabase.auth.getSession()).data.session?.access_token)
      const { error } = await supabase.auth.signInWithPassword({ email, password })
      if (error) throw error
      if (before) await supabase.rpc('sign_out_session', { session_id: before })
    },
  })
}

/** Changes the password; where the server wants a code for that, one is on its way when it fails for want of it. */
export function useChangePassword() {
  return useMutation({
    mutationFn: async ({ password, nonce }: { password: string; nonce?: string }) => {
      const { error } = await supabase.auth.updateUser({ password, nonce })
      if (codeOf(error) === 'reauthentication_needed') {
        const sent = await supabase.auth.reauthenticate()
        if (sent.error) throw sent.error
      }
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Your password is changed', variant: 'success' }),
  })
}

export function useChangeEmail() {
  return useMutation({
    mutationFn: async (email: string) => {
      const { data, error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: window.location.origin })
      if (error) throw error
      return data.user
    },
    // Until the links are followed, the card says so for as long as it takes.
    onSuccess: ({ new_email }) => {
      if (!new_email) toast({ title: 'Your email is changed', variant: 'success' })
    },
  })
}
