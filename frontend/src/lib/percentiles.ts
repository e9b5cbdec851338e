const PLAYERS: Readonly<Record<string, string>> = {
  P: 'pitchers',
  C: 'catchers',
  IF: 'infielders',
  OF: 'outfielders',
  UT: 'utility players',
}

type Circle = { class: number | null; position: string | null; same_age: boolean; n: number }

/** Among whom a percentile was counted: `vs all infielders, n = 40`. `n` includes the player. */
export function comparedWith({ class: year, position, same_age, n }: Circle): string {
  const players = (position && PLAYERS[position]) ?? 'players'
  const narrowed = year !== null || same_age
  const circle = [
    narrowed ? players : `all ${players}`,
    year !== null && `of the class of ${year}`,
    same_age && 'of the same age',
  ]
  return `vs ${circle.filter(Boolean).join(' ')}, n = ${n}`
}
