import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { queryClient } from '@/lib/query-client'

// jsdom has none of these, and Radix and the router ask for them.
Element.prototype.scrollIntoView = () => undefined
window.scrollTo = () => undefined
Element.prototype.hasPointerCapture = () => false

// Screens come by requests of their own, which take their time on a busy machine.
configure({ asyncUtilTimeout: 5000 })

// A test waits for no second attempt.
queryClient.setDefaultOptions({ queries: { retry: false } })

afterEach(() => {
  cleanup()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
})
