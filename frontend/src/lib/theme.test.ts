import { expect, test } from 'vitest'
import { chooseTheme, showTheme } from '@/lib/theme'

const shown = () => document.documentElement.dataset.theme

test('a choice is shown and kept, and none is as the system has it', () => {
  chooseTheme('dark')
  expect([shown(), localStorage.getItem('theme')]).toEqual(['dark', 'dark'])
  chooseTheme('light')
  expect([shown(), localStorage.getItem('theme')]).toEqual(['light', 'light'])
  chooseTheme('system')
  expect([shown(), localStorage.length]).toEqual([undefined, 0])
})

test('what logging out empties is shown no longer', () => {
  chooseTheme('dark')
  localStorage.clear()
  showTheme()
  expect(shown()).toBeUndefined()
})
