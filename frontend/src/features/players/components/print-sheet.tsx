import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { day, decimal, innings, rate } from '@/lib/format'
import { paths } from '@/lib/paths'
import { comparedWith } from '@/lib/percentiles'
import { ordinal } from '@/lib/ordinal'
import { COMMITMENT_STATUS, isRate, SOURCES } from '@/features/players/model'
import {
  battingQuery,
  commitmentsQuery,
  measurementsQuery,
  percentilesQuery,
  pitchingQuery,
  videosQuery,
  type Measurement,
} from '@/data/players/queries'

/** What fits on a page, whatever there is. */
const SEASONS = 5
const LINKS = 4

type PrintSheetProps = {
  id: string
  name: string
  headline: string
  facts: readonly (readonly [string, string])[]
  bio: string | null
}

/** A player on one page, A4 or Letter: what a recruiter takes along. */
export function PrintSheet({ id, name, headline, facts, bio }: PrintSheetProps) {
  return (
    <article className="grid max-h-[250mm] content-start gap-4 overflow-hidden text-[9pt] leading-snug">
      <header className="flex items-end justify-between gap-6 border-b-2 border-primary pb-2">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">{name}</h1>
          <p>{headline}</p>
        </div>
        <p className="text-right text-[8pt] text-muted-foreground">
          {window.location.host + paths.playerById.replace(':id', id)}
          <br />
          {day(new Date().toISOString())}
        </p>
      </header>
      <dl className="grid grid-cols-4 gap-x-6 gap-y-1.5">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-[7.5pt] text-muted-foreground">{label}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {bio && <p className="line-clamp-3">{bio}</p>}
      <div className="grid grid-cols-[6fr_7fr] items-start gap-6">
        <Percentiles id={id} />
        <Measurements id={id} />
      </div>
      <Batting id={id} />
      <Pitching id={id} />
      <div className="grid grid-cols-2 items-start gap-6">
        <Videos id={id} />
        <Commitments id={id} />
      </div>
    </article>
  )
}

function Percentiles({ id }: { id: string }) {
  const { data: rows = [] } = useQuery(percentilesQuery(id))
  if (rows.length === 0) return null
  return (
    <Part title="Percentiles">
      <ul className="grid gap-1">
        {rows.map(({ metric, label, value, unit, percentile, ...circle }) => (
          <li key={metric} className="grid grid-cols-[1fr_1cm_4cm] items-center gap-2">
            <span className="truncate">
              {label} <span className="text-muted-foreground">{isRate(metric) ? rate(value) : `${value} ${unit}`}</span>
            </span>
            <span className="h-1.5 rounded-full bg-muted [print-color-adjust:exact]">
              <span
                className="block h-full rounded-full bg-primary [print-color-adjust:exact]"
                style={{ width: `${percentile ?? 0}%` }}
              />
            </span>
            <span className="truncate text-right text-[7pt] tabular-nums">
              {percentile === null ? 'too few' : ordinal(percentile)}{' '}
              <span className="text-muted-foreground">{comparedWith(circle)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Measurements({ id }: { id: string }) {
  const { data: rows = [] } = useQuery(measurementsQuery(id))
  if (rows.length === 0) return null
  return (
    <Part title="Measurements" text="The newest of each kind.">
      <Table
        header={['What', 'Value', 'When', 'Source']}
        rows={newest(rows).map((row) => [
          row.measurement_kinds?.label ?? row.kind,
          `${decimal(row.value, row.measurement_kinds?.decimals ?? 1)} ${row.unit}`,
          day(row.taken_at),
          [SOURCES[row.source] ?? row.source, row.verified_at && `✓ ${row.verifier?.full_name ?? 'verified'}`]
            .filter(Boolean)
            .join(', '),
        ])}
      />
    </Part>
  )
}

/** Of rows that begin with the latest, the first of each kind. */
const newest = (rows: readonly Measurement[]) =>
  rows.filter((row, place) => rows.findIndex(({ kind }) => kind === row.kind) === place)

function Batting({ id }: { id: string }) {
  const { data: rows = [] } = useQuery(battingQuery(id))
  if (rows.length === 0) return null
  const header = ['Season', 'Team', 'G', 'PA', 'AB', 'R', 'H', '2B', '3B', 'HR', 'RBI', 'BB', 'SO', 'SB']
  return (
    <Part title="Batting" text="As entered by the player.">
      <Table
        header={[...header, 'AVG', 'OBP', 'SLG', 'OPS']}
        rows={rows
          .slice(0, SEASONS)
          .map((line) => [
            ...[line.season, line.team_name, line.g, line.pa, line.ab, line.r, line.h, line.doubles, line.triples],
            ...[line.hr, line.rbi, line.bb, line.so, line.sb],
            ...[line.avg, line.obp, line.slg, line.ops].map((value) => rate(value)),
          ])}
      />
    </Part>
  )
}

function Pitching({ id }: { id: string }) {
  const { data: rows = [] } = useQuery(pitchingQuery(id))
  if (rows.length === 0) return null
  return (
    <Part title="Pitching" text="As entered by the player.">
      <Table
        header={['Season', 'Team', 'G', 'GS', 'W', 'L', 'SV', 'IP', 'H', 'ER', 'HR', 'BB', 'SO', 'ERA', 'WHIP']}
        rows={rows
          .slice(0, SEASONS)
          .map((line) => [
            ...[line.season, line.team_name, line.g, line.gs, line.w, line.l, line.sv, innings(line.outs)],
            ...[line.h, line.er, line.hr, line.bb, line.so, decimal(line.era), decimal(line.whip)],
          ])}
      />
    </Part>
  )
}

function Videos({ id }: { id: string }) {
  const { data: rows = [] } = useQuery(videosQuery(id))
  if (rows.length === 0) return null
  return (
    <Part title="Videos">
      <ul>
        {rows.slice(0, LINKS).map(({ id, title, url }) => (
          <li key={id} className="truncate">
            {title} {url && <span className="text-muted-foreground">{url.replace('https://', '')}</span>}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Commitments({ id }: { id: string }) {
  const { data: rows = [] } = useQuery(commitmentsQuery(id))
  const names: Readonly<Record<string, string>> = COMMITMENT_STATUS
  if (rows.length === 0) return null
  return (
    <Part title="Commitments">
      <ul>
        {rows.slice(0, LINKS).map(({ id, program, status, committed_on }) => (
          <li key={id} className="truncate">
            {program} · {names[status] ?? status} · {day(committed_on)}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-1.5">
      <h2 className="text-[11pt] font-semibold">
        {title} {text && <span className="font-sans text-[8pt] font-normal text-muted-foreground">{text}</span>}
      </h2>
      {children}
    </section>
  )
}

type TableProps = { header: readonly string[]; rows: readonly (readonly (string | number)[])[] }

function Table({ header, rows }: TableProps) {
  return (
    <table className="w-full border-collapse text-[8pt] tabular-nums">
      <thead>
        <tr className="border-b border-input text-left">
          {header.map((name) => (
            <th key={name} scope="col" className="py-0.5 pr-2 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          <tr key={line} className="border-b border-border">
            {row.map((cell, place) => (
              <td key={header[place]} className="py-0.5 pr-2 last:pr-0 not-last:not-first:whitespace-nowrap">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
