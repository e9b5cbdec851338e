import { useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '@/lib/explain'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

/** Guardians change who sees whom, so all queries are stale after each of these. */
function useGuardianMutation<Given>(work: (given: Given) => Promise<void>, done: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: work,
    onSuccess: () => toast({ title: done, variant: 'success' }),
    onSettled: () => client.invalidateQueries(),
  })
  return { ...mutation, problem: mutation.isError ? explain(mutation.error, 'Please try again.') : undefined }
}

export const useInviteGuardian = () =>
  useGuardianMutation(async (email: string) => {
    await supabase.rpc('invite_guardian', { email }).throwOnError()
  }, 'Invitation saved')

export const useAnswerInvitation = () =>
  useGuardianMutation(async (given: { id: string; accept: boolean }) => {
    await supabase.rpc('answer_invitation', given).throwOnError()
  }, 'Your answer is saved')

export const useSetWardVisibility = () =>
  useGuardianMutation(async (given: { ward_id: string; visible: boolean }) => {
    await supabase.rpc('set_ward_visibility', given).throwOnError()
  }, 'Saved')

export const useSetWardAudience = () =>
  useGuardianMutation(async (given: { ward_id: string; audience: string }) => {
    await supabase.rpc('set_ward_audience', given).throwOnError()
  }, 'Saved')

/** @param onCorrected called at once, because the form disappears when the ward turns out to be an adult */
export const useCorrectBirthDate = (onCorrected: () => void) =>
  useGuardianMutation(async (given: { ward_id: string; birth_date: string }) => {
    await supabase.rpc('correct_birth_date', given).throwOnError()
    onCorrected()
  }, 'Birth date corrected')

export const useWithdrawInvitation = () =>
  useGuardianMutation(async (id: string) => {
    await supabase.rpc('revoke_guardianship', { id }).throwOnError()
  }, 'Invitation withdrawn')

/** @param onEnded called at once, because the dialog disappears with the guardianship */
export const useEndGuardianship = (onEnded: () => void) =>
  useGuardianMutation(async (id: string) => {
    await supabase.rpc('revoke_guardianship', { id }).throwOnError()
    onEnded()
  }, 'Guardianship ended')

/** Mails a link that proves the address: invitations are shown only to proven addresses. */
export function useProveMailbox() {
  return useMutation({
    mutationFn: async (email: string) => {
      const options = { shouldCreateUser: false, emailRedirectTo: window.location.origin }
      const { error } = await supabase.auth.signInWithOtp({ email, options })
      if (error) throw error
    },
  })
}
