import type { QueryClient } from '@tanstack/react-query'

/**
 * Does what a form asks for as a mutation, so that the end of a session is noticed as everywhere (lib/query-client.ts).
 * Throws what the server says, for the form to say.
 */
export function saving(client: QueryClient, work: () => Promise<void>): Promise<void> {
  return client
    .getMutationCache()
    .build(client, client.defaultMutationOptions({ mutationFn: work }))
    .execute(undefined)
}
