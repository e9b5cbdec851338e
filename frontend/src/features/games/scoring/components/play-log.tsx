import type { Game, GameRecord } from '@/data/games/model'
import { shortNameOf } from '@/data/games/model'
import { PlayList } from '@/features/games/components/play-list'
import { isKept } from '@/features/games/scoring/pitches'
import { words } from '@/features/games/words'
import { Pencil } from 'lucide-react'
import { Button } from '@/ui/button'
import { Empty } from '@/ui/section'
import { RemovalDialog } from '@/ui/removal-dialog'

type PlayLogProps = {
  records: readonly GameRecord[]
  game: Game
  onEdit: (id: string) => void
  onRemove: (record: GameRecord) => Promise<unknown>
  onDone: () => void
}

/** All plays, any of which can be changed or taken out. */
export function PlayLog({ records, game, onEdit, onRemove, onDone }: PlayLogProps) {
  const name = (id: string) => shortNameOf(game.athletes.get(id))
  return (
    <div className="grid gap-4">
      <h2 className="text-xl font-semibold">Plays</h2>
      {records.length === 0 && <Empty>No play yet.</Empty>}
      <PlayList
        records={records}
        name={name}
        homeFirst={game.home_bats_first}
        actions={(record) => (
          <div className="flex">
            {record.outcome && (
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Edit ${words(record, name).title}`}
                onClick={() => onEdit(record.id)}
              >
                <Pencil aria-hidden />
              </Button>
            )}
            {!isKept(records, record) && (
              <RemovalDialog
                name={words(record, name).title}
                text="The plays after it stay. If they no longer fit, you are asked what to do."
                pending={false}
                onRemove={() => onRemove(record)}
              />
            )}
          </div>
        )}
      />
      <Button variant="outline" size="lg" onClick={onDone}>
        Back to scoring
      </Button>
    </div>
  )
}
