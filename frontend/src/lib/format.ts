/** How unknown is written: never as 0. */
export const UNKNOWN = '—'

type Value = number | null | undefined

const known = (value: Value): value is number => value !== null && value !== undefined && Number.isFinite(value)

/** More digits of a binary number are noise of the computation that made it. */
const SIGNIFICANT = 14

/** A number with so many decimals, rounded half up as on paper: 2.125 is 2.13. Without a sign for zero. */
function rounded(value: number, digits: number): string {
  const scale = 10 ** digits
  const whole = Math.round(Number((Math.abs(value) * scale).toPrecision(SIGNIFICANT)))
  const text = (whole / scale).toFixed(digits)
  return value < 0 && whole > 0 ? `-${text}` : text
}

/** A rate in the manner of the game: `.285`, `1.042`. */
export function rate(value: Value): string {
  return known(value) ? rounded(value, 3).replace(/^(-?)0\./, '$1.') : UNKNOWN
}

/** `3.46` */
export function decimal(value: Value, digits = 2): string {
  return known(value) ? rounded(value, digits) : UNKNOWN
}

/** `1,204` */
export function count(value: Value): string {
  return known(value) ? value.toLocaleString('en-US') : UNKNOWN
}

/** An amount of US dollars: `$9`, `$19.50`. */
export const dollars = (amount: number) => `$${Number.isInteger(amount) ? amount : rounded(amount, 2)}`

/** Innings of a number of outs: `6.1` is six and a third. */
export function innings(outs: Value): string {
  return known(outs) ? `${Math.floor(outs / 3)}.${outs % 3}` : UNKNOWN
}

/** `6′ 2″` of 74 inches. */
export function feet(inches: Value): string {
  return known(inches) ? `${Math.floor(inches / 12)}′ ${inches % 12}″` : UNKNOWN
}

/** A length of time in whole seconds: `48 s`, `12 min`, `1 h 5 min`. */
export function duration(seconds: Value): string {
  if (!known(seconds)) return UNKNOWN
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** "Nov 21, 2026", or `—`. A date without a time is that day everywhere. */
export function day(time: string | null | undefined, locale = 'en-US'): string {
  if (!time) return UNKNOWN
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(time)
  return new Date(time).toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: whole ? 'UTC' : undefined,
  })
}

/** "Nov 21", with the year only where it is another than today's; or `—`. */
export function shortDay(time: string | null | undefined, now = new Date(), locale = 'en-US'): string {
  if (!time) return UNKNOWN
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(time)
  const timeZone = whole ? 'UTC' : undefined
  const year = (date: Date) => date.toLocaleDateString(locale, { year: 'numeric', timeZone })
  const date = new Date(time)
  if (year(date) !== String(now.getFullYear())) return day(time, locale)
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'short', timeZone })
}

/** "Nov 21, 2026, 2:05 PM", by the reader's clock. */
export function moment(time: string | null | undefined, locale = 'en-US'): string {
  return time ? new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }) : UNKNOWN
}

/** The text, or `—` if there is none. */
export const text = (value: string | null | undefined) => value?.trim() || UNKNOWN

/** The text of a field for what the database holds. */
export const fieldText = (value: string | number | readonly string[] | null | undefined): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '')
