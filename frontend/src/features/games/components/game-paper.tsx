import type { ReactNode } from 'react'
import { nameOf, phase, SIDES, type Game, type GameRecord, type Side } from '@/data/games/model'
import { battingOrder } from '@/features/games/components/box-score'
import { LineScoreTable } from '@/features/games/components/line-score'
import { scorecard, type Mark } from '@/features/games/scorecard'
import { recap } from '@/features/games/story'
import { day, innings } from '@/lib/format'

/** The game as it is printed: line score, recap, and for each team the score card with batting and pitching. */
export function GamePaper({ game, records }: { game: Game; records: readonly GameRecord[] }) {
  return (
    <article aria-label="Score card" className="hidden text-[9pt] leading-tight print:grid print:gap-4">
      <header className="grid gap-1 border-b-2 border-black pb-2">
        <h1 className="font-display text-[16pt] font-bold">{`${game.visitor_name} at ${game.home_name}`}</h1>
        <p>{[day(game.played_on), game.place, phase(game)].filter(Boolean).join(' · ')}</p>
      </header>
      <div className="[&_td]:py-1 [&_th]:py-1 [&_table]:text-[9pt]">
        <LineScoreTable game={game} />
      </div>
      {game.status === 'final' && <p>{recap(game, records).join(' ')}</p>}
      {SIDES.map((side) => (
        <TeamCard key={side} game={game} records={records} side={side} />
      ))}
      <footer className="text-[7pt]">
        A dot marks a run. K strikeout, Kc called; F, L, P caught fly, line drive, pop-up; U unassisted; FC fielder’s
        choice; fielders by number: 1 pitcher, 2 catcher, 3 to 6 infield from first to short, 7 to 9 outfield from left.
      </footer>
    </article>
  )
}

function TeamCard({ game, records, side }: { game: Game; records: readonly GameRecord[]; side: Side }) {
  const card = scorecard(records, side)
  const played = Math.max(game.innings, ...game.lineScores.map((line) => line.innings.length))
  const numbers = Array.from({ length: played }, (_, index) => index + 1)
  const batters = battingOrder(game, side)
  const pitchers = game.pitchers.filter((row) => row.side === side)
  const name = (id: string) => nameOf(game.athletes.get(id))
  return (
    <section className="grid break-inside-avoid gap-2">
      <h2 className="text-[11pt] font-bold">{side === 0 ? game.visitor_name : game.home_name}</h2>
      <table className="w-full border-collapse tabular-nums">
        <thead>
          <tr>
            <Head text="Batting" left />
            {numbers.map((inning) => (
              <Head key={inning} text={String(inning)} />
            ))}
            {['AB', 'R', 'H', 'RBI'].map((column) => (
              <Head key={column} text={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {batters.map((row) => (
            <tr key={row.athlete_id}>
              <Cell left>
                {name(row.athlete_id)} <span className="text-[7pt]">{row.positions}</span>
              </Cell>
              {numbers.map((inning) => (
                <Cell key={inning}>
                  <Marks marks={card.get(row.athlete_id)?.get(inning) ?? []} />
                </Cell>
              ))}
              {[row.ab, row.r, row.h, row.rbi].map((count, index) => (
                <Cell key={index}>{count}</Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <table className="w-full border-collapse tabular-nums">
        <thead>
          <tr>
            <Head text="Pitching" left />
            {['IP', 'H', 'R', 'ER', 'BB', 'SO', 'Pitches'].map((column) => (
              <Head key={column} text={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {pitchers.map((row) => (
            <tr key={row.athlete_id}>
              <Cell left>
                {name(row.athlete_id)} {row.w ? '(W)' : row.l ? '(L)' : row.sv ? '(SV)' : ''}
              </Cell>
              {[innings(row.outs), row.h, row.r, row.er, row.bb, row.so, row.pitches ?? '—'].map((count, index) => (
                <Cell key={index}>{count}</Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Head = ({ text, left = false }: { text: string; left?: boolean }) => (
  <th scope="col" className={`border border-black/40 px-1 py-0.5 font-semibold ${left ? 'text-left' : 'text-center'}`}>
    {text}
  </th>
)

const Cell = ({ children, left = false }: { children: ReactNode; left?: boolean }) => (
  <td className={`h-5 border border-black/40 px-1 py-0.5 ${left ? 'text-left' : 'min-w-7 text-center'}`}>{children}</td>
)

function Marks({ marks }: { marks: readonly Mark[] }) {
  return marks.map(({ code, scored }, index) => (
    <span key={index} className="block whitespace-nowrap">
      {code}
      {scored && ' •'}
    </span>
  ))
}
