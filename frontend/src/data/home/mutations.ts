import { useMutation, useQueryClient } from '@tanstack/react-query'
import { forgetDraft } from '@/lib/draft-storage'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

/** Under which what is typed is kept. */
export const birthDateDraft = (userId: string) => `birth-date:${userId}`

/** Once: afterwards only a guardian or an admin changes it. Who sees whom hangs on it, so that everything is stale then. */
export function useAnswerBirthDate(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (birth_date: string) => {
      await supabase.from('birth_dates').insert({ user_id: userId, birth_date }).throwOnError()
    },
    onSuccess: () => {
      forgetDraft(birthDateDraft(userId))
      toast({ title: 'Thank you', variant: 'success' })
    },
    onSettled: () => client.invalidateQueries(),
  })
}
