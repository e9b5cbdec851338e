import { useMutation, useQueryClient } from '@tanstack/react-query'
import { securityReason } from '@/data/security/messages'
import { sessionIdOf } from '@/data/security/model'
import { factorsQuery, passkeysQuery, sessionsQuery } from '@/data/security/queries'
import { messageOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

/** An authenticator app that is not verified yet. The secret is shown once. */
export type NewApp = { factorId: string; qrCode: string; secret: string }

/** Registers an authenticator app. */
export function useEnrollApp() {
  return useMutation({
    mutationFn: async (friendlyName: string): Promise<NewApp> => {
      const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'totp', friendlyName })
      if (error) throw error
      return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
    },
  })
}

/** Removes a factor that was not verified. If this fails, the server removes it after a while. */
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
      // The old token still says that two factors were verified.
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

/** Signs in again and ends the previous session, so that the list of sessions does not grow. */
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

/** Runs `work`, and asks for the password first if the server wants a recent sign-in for it. */
export type Guard = <T>(work: () => Promise<T>) => Promise<T>

/** Ends the session with the given id; without an id all sessions but this one. */
export function useEndSession(userId: string, guard: Guard) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) => (id === null ? signOutOthers() : guard(() => signOutSession(id))),
    onSuccess: (_, id) =>
      toast({ title: id === null ? 'Signed out everywhere else' : 'Signed out', variant: 'success' }),
    onError: (error) =>
      toast({ title: 'Not signed out', description: messageOf(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries(sessionsQuery(userId)),
  })
}

async function signOutSession(sessionId: string) {
  await supabase.rpc('sign_out_session', { session_id: sessionId }).throwOnError()
}

async function signOutOthers() {
  const { error } = await supabase.auth.signOut({ scope: 'others' })
  if (error) throw error
}

/** Refreshes the session, which then contains the factors that were added in another browser. */
export function useRefreshSession() {
  return useMutation({
    mutationFn: async () => {
      const { error } = await supabase.auth.refreshSession()
      if (error) throw error
    },
  })
}
