import type { Game, GameRecord } from '@/data/games/model'
import { warningOf, type Pitcher, type PitchWarning } from '@/features/games/scoring/pitch-limits'
import { pitchCount } from '@/features/games/scoring/pitches'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'

type Known = Pick<BookState, 'arms' | 'overrides'>

/** A pitcher with all that this device knows. `pitches` are those of the unfinished plate appearance. */
export function pitcherOf(
  game: Pick<Game, 'played_on' | 'athletes'>,
  { arms, overrides }: Known,
  records: readonly GameRecord[],
  athlete: { id: string; name: string },
  pitches = '',
): Pitcher {
  return {
    name: athlete.name,
    thrown: pitchCount(game.athletes, records, athlete.id, pitches),
    arm: arms?.find(({ athlete_id }) => athlete_id === athlete.id) ?? null,
    day: game.played_on,
    overrides,
  }
}

/** Checks a player before that player enters the game as pitcher. */
export type PitchCheck = {
  warn: (athlete: { id: string; name: string }) => PitchWarning | null
  /** Resolves to false if the reason could not be kept. */
  override: (warning: PitchWarning, reason: string) => Promise<boolean>
}

/** Reads the book at each call, because a reason may have been given since the page was rendered. */
export const pitchCheckOf = (
  game: Pick<Game, 'played_on' | 'athletes'>,
  book: Scorebook,
  records: readonly GameRecord[],
): PitchCheck => ({
  warn: (athlete) => warningOf(pitcherOf(game, book.read(), records, athlete), true),
  override: ({ athlete, rule }, reason) => book.override(athlete, rule, reason),
})
