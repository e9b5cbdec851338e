/** The message of anything thrown, or `fallback` if it has none a person could read. */
export function messageOf(error: unknown, fallback: string): string {
  const message = property(error, 'message')
  return typeof message === 'string' && isForPeople(message) ? message : fallback
}

/** The data client passes on what the browser says of a lost connection: `TypeError: Failed to fetch`. */
const isForPeople = (message: string) => message.trim() !== '' && message !== '{}' && !/^\w*Error: /.test(message)

/** The same with what the database says there is to do about it, its `hint`. */
export function explain(error: unknown, fallback: string): string {
  const hint = property(error, 'hint')
  return [messageOf(error, fallback), typeof hint === 'string' ? hint : ''].join(' ').trim()
}

/** The service's own code for an error (`invalid_credentials`, `PGRST116`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = property(error, 'code')
  return typeof code === 'string' ? code : undefined
}

/** The HTTP status of an error of supabase-js, if there was an answer. */
export function statusOf(error: unknown): number | undefined {
  const status = property(error, 'status')
  return typeof status === 'number' && status > 0 ? status : undefined
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
