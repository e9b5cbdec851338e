import type { QueryClient } from '@tanstack/react-query'

/**
 * Runs a form's request as a mutation, so that the handler of lib/query-client.ts notices the end of a session.
 * Throws the server's error for the form to show.
 */
export function saving(client: QueryClient, work: () => Promise<void>): Promise<void> {
  return client
    .getMutationCache()
    .build(client, client.defaultMutationOptions({ mutationFn: work }))
    .execute(undefined)
}
