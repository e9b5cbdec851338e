import { half, type Game, type GameRecord } from '@/data/games/model'
import type { QueuedRow } from '@/data/games/kept'
import type { BookState } from '@/features/games/scoring/scorebook'
import { words } from '@/features/games/words'

/** A play in words, with its half-inning. */
export type Version = { id: string; when: string; text: string }

/** The plays of this device and the saved ones at the same place of the game; null where one side has no more. */
export type Place = { mine: Version | null; theirs: Version | null; same: boolean }

type Known = Pick<BookState, 'saved' | 'queued' | 'rivals'>
type Name = (id: string) => string

function versionOf(record: GameRecord, game: Pick<Game, 'home_bats_first'>, name: Name): Version {
  const { title, detail } = words(record, name)
  const { outcome } = record
  const when = outcome ? half(outcome.inning, outcome.batting, game.home_bats_first) : ''
  const who = outcome?.turn ? `${name(outcome.batter)}: ` : ''
  return { id: record.id, when, text: `${who}${[title, detail].filter(Boolean).join('. ')}.` }
}

/** A row of the queue: a play, a correction of a saved one, or its removal. */
export function rowVersion(row: QueuedRow, { saved }: Pick<Known, 'saved'>, game: Game, name: Name): Version {
  const old = saved?.find(({ id }) => id === row.replaces)
  if (row.record === undefined)
    return old ? { ...versionOf(old, game, name), text: `Removed: ${versionOf(old, game, name).text}` } : REMOVAL
  return versionOf({ id: row.id, record: row.record, outcome: row.outcome }, game, name)
}

const REMOVAL: Version = { id: '', when: '', text: 'A play is removed.' }

/** Both versions, place by place, from where they part. */
export function placesOf({ saved, queued, rivals }: Known, game: Game, name: Name): Place[] {
  const theirs = saved?.filter(({ id }) => rivals.includes(id)) ?? []
  const place = (index: number): Place => {
    const [row, record] = [queued[index], theirs[index]]
    return {
      mine: row ? rowVersion(row, { saved }, game, name) : null,
      theirs: record ? versionOf(record, game, name) : null,
      same: row !== undefined && row.record === record?.record,
    }
  }
  return Array.from({ length: Math.max(queued.length, theirs.length) }, (_, index) => place(index))
}

/** What is saved where a refused row belongs: the play that it corrects, or the one after which it comes. */
export function savedAt(row: QueuedRow, { saved }: Pick<Known, 'saved'>, game: Game, name: Name): Version | null {
  const record = row.replaces ? saved?.find(({ id }) => id === row.replaces) : saved?.at(-1)
  return record ? versionOf(record, game, name) : null
}
