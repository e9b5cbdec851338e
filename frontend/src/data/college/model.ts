import type { Database } from '@/types/database'

type Tables = Database['public']['Tables']

export type Program = Tables['programs']['Row']
export type Level = Tables['program_levels']['Row']
export type Contact = Omit<Tables['college_contacts']['Row'], 'player_id' | 'target_id' | 'created_at'>
export type Target = Omit<Tables['college_targets']['Row'], 'player_id' | 'created_at'> & {
  /** The latest first. */
  college_contacts: Contact[]
}
export type Task = Omit<Tables['college_tasks']['Row'], 'player_id' | 'created_at'>

/** The columns of the board, in order. */
export const STATUSES = ['interested', 'contacted', 'in_touch', 'visit', 'offer'] as const
export type Status = (typeof STATUSES)[number]

/** A board that the user may see. */
export type Board = {
  playerId: string
  name: string
  /** Whether the user keeps it: the player, or the guardian. */
  writes: boolean
  shared: boolean
  /** As a Division I freshman: a wOBA, or a pitcher's K-BB%. */
  whatIf: number | null
  pitcher: boolean
  state: string | null
  gradYear: number | null
}

/** When colleges of a division may contact players. */
export type Period = Omit<Tables['recruiting_periods']['Row'], 'created_at'>

/** A letter with fields such as `{program}`. */
export type Letter = Pick<Tables['college_letters']['Row'], 'id' | 'title' | 'body'>

/** The facts about a player that fill a letter. */
export type LetterFacts = Pick<
  Tables['players']['Row'],
  'positions' | 'bats' | 'throws' | 'height_in' | 'weight_lb' | 'hometown'
> & {
  school: string | null
  numbers: { label: string; value: number; decimals: number; unit: string }[]
}

/** The audiences of an announcement; nobody: the commitment is on the profile only. */
export const AUDIENCES = ['nobody', 'team', 'followers', 'public'] as const
