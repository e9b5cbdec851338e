import type { QueryClient } from '@tanstack/react-query'

/** What a page is opened for. */
export type Visit = { pathname: string; userId: string | undefined }

/**
 * A screen's module may export this besides the screen. It starts the screen's first queries while React is still starting.
 * A query that fails here is repeated by the component that needs it.
 */
export type Prefetch = (begin: QueryClient['query'], visit: Visit) => void
