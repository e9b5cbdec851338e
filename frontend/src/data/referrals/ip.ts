/** What an IP look-up answered, or 'unknown' (section 3). */
export function ipIn(answer: unknown): string {
  const ip: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'ip') : undefined
  return typeof ip === 'string' && ip !== '' ? ip : 'unknown'
}
