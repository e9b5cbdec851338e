import { FileDown, Printer } from 'lucide-react'
import { nameOf, type Batting, type Game, type GameRecord, type Pitching } from '@/data/games/model'
import { eventFile, playTable } from '@/features/games/files'
import { recap, stars, winsAdded, worthPlays } from '@/features/games/story'
import { download } from '@/lib/download'
import { innings } from '@/lib/format'
import { Button } from '@/ui/button'
import { Card } from '@/ui/section'

type StoryProps = { game: Game; records: readonly GameRecord[] }

/** A finished game in sentences, its three stars, and its files. */
export function FinalStory({ game, records }: StoryProps) {
  const best = stars(worthPlays(records))
  const file = `${game.played_on} ${game.visitor_name} at ${game.home_name}`.replace(/[^\w .-]+/g, '_')
  return (
    <Card title="Recap">
      <p className="wrap-anywhere">{recap(game, records).join(' ')}</p>
      {best.length > 0 && (
        <ol aria-label="Three stars" className="grid gap-3 sm:grid-cols-3">
          {best.map(({ athlete, added }, index) => (
            <li key={athlete} className="grid gap-1 rounded-xl border border-border p-4">
              <span aria-hidden className="text-clay">
                {'★'.repeat(3 - index)}
              </span>
              <span className="font-semibold wrap-anywhere">{nameOf(game.athletes.get(athlete))}</span>
              <span className="text-sm text-muted-foreground">{lineOf(game, athlete)}</span>
              <span className="text-sm tabular-nums">
                {winsAdded(added)}{' '}
                <abbr title="Win probability added: the change of the team’s chance to win">WPA</abbr>
              </span>
            </li>
          ))}
        </ol>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => window.print()}>
          <Printer aria-hidden />
          Print or save as PDF
        </Button>
        <Button variant="outline" onClick={() => download(`${file}.EVN`, eventFile(game, records), 'text/plain')}>
          <FileDown aria-hidden />
          Event file
        </Button>
        <Button variant="outline" onClick={() => download(`${file}.csv`, playTable(game, records), 'text/csv')}>
          <FileDown aria-hidden />
          Plays as CSV
        </Button>
      </div>
    </Card>
  )
}

/** "2 for 4, HR, 3 RBI" or "6 IP, 2 ER, 7 SO". */
function lineOf(game: Game, athlete: string): string {
  const pitched = game.pitchers.find((row) => row.athlete_id === athlete)
  const batted = game.batters.find((row) => row.athlete_id === athlete && row.pa > 0)
  return [batted && battingLine(batted), pitched && pitchingLine(pitched)].filter(Boolean).join(' · ')
}

const some = (count: number, short: string) => (count > 1 ? `${count} ${short}` : count === 1 ? short : null)

const battingLine = ({ h, ab, doubles, triples, hr, rbi, bb, sb }: Batting) =>
  [
    `${h} for ${ab}`,
    some(hr, 'HR'),
    some(triples, '3B'),
    some(doubles, '2B'),
    rbi > 0 && `${rbi} RBI`,
    some(bb, 'BB'),
    some(sb, 'SB'),
  ]
    .filter(Boolean)
    .join(', ')

const pitchingLine = ({ outs, er, so }: Pitching) => `${innings(outs)} IP, ${er} ER, ${so} SO`
