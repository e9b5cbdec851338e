import { SIDES, type Game } from '@/data/games/model'
import { UNKNOWN } from '@/lib/format'

/** Runs by inning, then runs, hits and errors. */
export function LineScoreTable({ game }: { game: Game }) {
  const played = Math.max(game.innings, ...game.lineScores.map(({ innings }) => innings.length))
  const numbers = Array.from({ length: played }, (_, index) => index + 1)
  return (
    // Scrolls by itself on a phone, and by keyboard.
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Line score by inning">
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="text-muted-foreground">
            <th scope="col" className="py-2 pr-3 text-left font-medium">
              Team
            </th>
            {numbers.map((inning) => (
              <th key={inning} scope="col" className="min-w-6 px-1 py-2 text-center font-medium">
                {inning}
              </th>
            ))}
            {['R', 'H', 'E'].map((column) => (
              <th key={column} scope="col" className="min-w-8 px-1 py-2 text-center font-semibold text-foreground">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SIDES.map((side) => {
            const line = game.lineScores.find((line) => line.side === side)
            return (
              <tr key={side} className="border-t border-border">
                <th scope="row" className="max-w-40 truncate py-2 pr-3 text-left font-medium">
                  {side === 0 ? game.visitor_name : game.home_name}
                </th>
                {numbers.map((inning) => (
                  <td key={inning} className="px-1 py-2 text-center">
                    {line?.innings[inning - 1] ?? ''}
                  </td>
                ))}
                {[line?.runs, line?.hits, line?.errors].map((total, index) => (
                  <td key={index} className="px-1 py-2 text-center font-semibold">
                    {total ?? UNKNOWN}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
