import { MutationCache, QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { saving } from '@/data/saving'

// Issue 11, 5: the handler that notices the end of a session hears of what a form's saving throws.
test('what a form saves is a mutation, whose error reaches the handler and the form', async () => {
  const onError = vi.fn<(error: Error) => void>()
  const client = new QueryClient({ mutationCache: new MutationCache({ onError: (error) => onError(error) }) })
  const refused = new Error('JWT expired')
  await expect(saving(client, () => Promise.reject(refused))).rejects.toBe(refused)
  expect(onError).toHaveBeenCalledExactlyOnceWith(refused)
  await expect(saving(client, () => Promise.resolve())).resolves.toBeUndefined()
})
