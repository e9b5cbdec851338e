import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// jsdom has none of these, and Radix and the router ask for them.
Element.prototype.scrollIntoView = () => undefined
window.scrollTo = () => undefined
Element.prototype.hasPointerCapture = () => false

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
