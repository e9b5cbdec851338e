import type { QueryClient } from '@tanstack/react-query'

/**
 * Runs a request of a form, or one outside of components, as a mutation, so that the handler of lib/query-client.ts notices the
 * end of a session. Throws the server's error for the caller to show.
 */
export function saving<Result>(client: QueryClient, work: () => Promise<Result>): Promise<Result> {
  return client
    .getMutationCache()
    .build(client, client.defaultMutationOptions({ mutationFn: work }))
    .execute(undefined)
}
