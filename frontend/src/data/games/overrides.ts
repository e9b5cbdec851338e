import { Refusal } from '@/data/games/scoring'
import { saving } from '@/data/saving'
import { queryClient } from '@/lib/query-client'
import { supabase } from '@/lib/supabase'

/** The rules that a coach can override: the daily limit and the rest. */
export type PitchRule = 'day_limit' | 'rest'

/** A coach's override of a rule for a pitcher, in one game. */
export type PitchOverride = {
  /** Made by the device, so that the server logs it once. */
  id: string
  athlete: string
  rule: PitchRule
  reason: string
  /** Whether the server has logged it. */
  sent: boolean
}

/** Maximum length of a reason, in characters. */
export const REASON_LENGTH = 200

/** Logs an override. Throws a `Refusal` if the server refuses it, and another error if there is no answer. */
export const sendOverride = (gameId: string, override: PitchOverride): Promise<void> =>
  saving(queryClient, () => logOverride(gameId, override))

async function logOverride(gameId: string, { id, athlete, rule, reason }: PitchOverride): Promise<void> {
  const { error, status } = await supabase.rpc('override_pitch_limit', { id, game: gameId, athlete, rule, reason })
  if (!error) return
  // The status is 0 if there was no answer.
  if (status >= 400) throw new Refusal(status, { code: error.code, message: error.message })
  throw error
}
