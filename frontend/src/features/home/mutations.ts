import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

/** What is shown of oneself hangs on all of these, so that each makes everything on Home stale. */
function useHomeMutation<Given>(work: (given: Given) => Promise<void>, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess: () => toast({ title: done, variant: 'success' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['home'] }),
  })
}

export const useAnswerBirthDate = (userId: string) =>
  useHomeMutation(async (birth_date: string) => {
    await supabase.from('birth_dates').insert({ user_id: userId, birth_date }).throwOnError()
  }, 'Thank you')

export const useInviteGuardian = () =>
  useHomeMutation(async (email: string) => {
    await supabase.rpc('invite_guardian', { email }).throwOnError()
  }, 'Invitation saved')

export function useAnswerInvitation() {
  const answer = useHomeMutation(async (given: { id: string; accept: boolean }) => {
    await supabase.rpc('answer_invitation', given).throwOnError()
  }, 'Your answer is saved')
  return { ...answer, problem: answer.isError ? messageOf(answer.error, 'Please try again.') : null }
}

export const useSetWardVisibility = () =>
  useHomeMutation(async (given: { ward_id: string; visible: boolean }) => {
    await supabase.rpc('set_ward_visibility', given).throwOnError()
  }, 'Saved')
