/** Positions as players enter them, in the order of the scorebook. */
export const POSITIONS = ['P', 'C', '1B', '2B', '3B', 'SS', 'LF', 'CF', 'RF', 'OF', 'IF', 'DH', 'UT'] as const

/** Groups in which players are compared. */
export const POSITION_GROUPS: readonly (readonly [string, string])[] = [
  ['P', 'Pitchers'],
  ['C', 'Catchers'],
  ['IF', 'Infielders'],
  ['OF', 'Outfielders'],
  ['UT', 'Utility players'],
]

/** The classes that play now, from this year's to that of today's eleven-year-olds. */
export function currentClasses(today = new Date()): number[] {
  return Array.from({ length: 8 }, (_, index) => today.getFullYear() + index)
}

type Group = { class: number | null; position: string | null; same_age: boolean }

/** Who is compared: `Infielders · Class of 2027`, or `All players`. */
export function groupWords({ class: year, position, same_age }: Group): string {
  const words = [
    POSITION_GROUPS.find(([group]) => group === position)?.[1],
    year !== null && `Class of ${year}`,
    same_age && 'Same age',
  ].filter(Boolean)
  return words.length > 0 ? words.join(' · ') : 'All players'
}
