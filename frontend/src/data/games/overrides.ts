import { Refusal } from '@/data/games/scoring'
import { supabase } from '@/lib/supabase'

/** What a pitcher may be let go beyond: the limit of the day, or the rest. */
export type PitchRule = 'day_limit' | 'rest'

/** A coach lets a pitcher go beyond a rule, for one game. */
export type PitchOverride = {
  /** Made by the device, so that the server logs it once. */
  id: string
  athlete: string
  rule: PitchRule
  reason: string
  /** The server has it. */
  sent: boolean
}

/** The characters that a reason may have. */
export const REASON_LENGTH = 200

/** Logs an override. Throws a `Refusal` for what the server refuses, and another error without an answer. */
export async function sendOverride(gameId: string, { id, athlete, rule, reason }: PitchOverride): Promise<void> {
  const { error, status } = await supabase.rpc('override_pitch_limit', { id, game: gameId, athlete, rule, reason })
  if (!error) return
  // Without an answer the status is 0.
  if (status >= 400) throw new Refusal(status, { code: error.code, message: error.message })
  throw error
}
