import { QueryClient } from '@tanstack/react-query'
import { statusOf } from '@/lib/errors'

const RETRIES = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The same question gets the same 4xx again; only a server in trouble or no network is worth asking twice.
      retry: (failures, error) => failures < RETRIES && (statusOf(error) ?? 500) >= 500,
    },
  },
})
