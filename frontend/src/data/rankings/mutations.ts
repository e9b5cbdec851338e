import { FunctionsHttpError } from '@supabase/supabase-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/lib/errors'
import { isRecord } from '@/lib/is-record'
import { supabase } from '@/lib/supabase'
import type { Kind } from '@/data/rankings/model'
import { RANKINGS_KEY } from '@/data/rankings/queries'
import { toast } from '@/ui/toast/toast-state'

/** Starts a run; the server refuses everybody but admins. */
export function useStartRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (kind: Kind): Promise<number> => {
      const body = kind === 'teams' ? { kind, season: new Date().getFullYear() } : { kind }
      const answer = await supabase.functions.invoke<unknown>('rank', { body })
      const error: unknown = answer.error
      if (error instanceof FunctionsHttpError) {
        const told: unknown = await (error.context as Response).json().catch(() => null)
        throw new Error(isRecord(told) && typeof told.message === 'string' ? told.message : 'The server refused this.')
      }
      if (error instanceof Error) throw error
      return isRecord(answer.data) && typeof answer.data.rated === 'number' ? answer.data.rated : 0
    },
    onSuccess: (rated, kind) => toast({ variant: 'success', title: `${rated} ${kind} rated` }),
    onError: (error) =>
      toast({ variant: 'error', title: 'The ratings were not computed', description: messageOf(error, 'Try again.') }),
    onSettled: () => client.invalidateQueries({ queryKey: RANKINGS_KEY }),
  })
}
