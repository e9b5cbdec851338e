import { messageOf, property } from '@/lib/errors'

/** The message of an error with what the database says there is to do about it, its `hint`. */
export function explain(error: unknown, fallback: string): string {
  const hint = property(error, 'hint')
  return [messageOf(error, fallback), typeof hint === 'string' ? hint : ''].join(' ').trim()
}
