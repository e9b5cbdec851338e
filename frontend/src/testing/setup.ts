import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// jsdom has none of these, and Radix asks for them.
Element.prototype.scrollIntoView = () => undefined
Element.prototype.hasPointerCapture = () => false

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
