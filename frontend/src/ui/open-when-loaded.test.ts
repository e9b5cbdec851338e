import { expect, it, vi } from 'vitest'
import { UNREACHABLE } from '@/lib/errors'
import { openWhenLoaded } from '@/ui/open-when-loaded'
import { toastStore } from '@/ui/toast/toast-state'

it('opens what has been loaded', async () => {
  const open = vi.fn()
  await openWhenLoaded(() => Promise.resolve(), open)
  expect(open).toHaveBeenCalledOnce()
})

it('says that the connection is lost, and opens nothing', async () => {
  const open = vi.fn()
  await openWhenLoaded(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /x.js')), open)
  expect(open).not.toHaveBeenCalled()
  expect(toastStore.read().map((toast) => toast.description)).toContain(UNREACHABLE)
})

it('opens a defective module, so that drawing it reaches the error screen', async () => {
  const open = vi.fn()
  await openWhenLoaded(() => Promise.reject(new Error('x is not a function')), open)
  expect(open).toHaveBeenCalledOnce()
})
