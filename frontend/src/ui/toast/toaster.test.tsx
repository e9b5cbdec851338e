import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '@/ui/toast/toaster'
import {
  TOAST_ACTION_DURATION,
  TOAST_DURATION,
  TOAST_REMOVE_DELAY,
  toast,
  toastStore,
  type ToastVariant,
} from '@/ui/toast/toast-state'

// Specification section 2, "Toasts", and section 9; e2e/sign-in.spec.ts swipes.

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

afterEach(() => {
  toastStore.read().forEach(() => act(() => void vi.advanceTimersByTime(TOAST_DURATION + TOAST_REMOVE_DELAY)))
  vi.useRealTimers()
})

const area = () => screen.getByRole('region', { name: 'Notifications' })
const say = (title: string, variant?: ToastVariant) => act(() => void toast({ title, variant }))
const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))
const open = () => toastStore.read().filter(({ open }) => open).length

test('a toast closes after 5000 ms', () => {
  say('Safe!')
  expect(screen.getByText('Safe!')).toBeTruthy()
  pass(TOAST_DURATION - 1)
  expect(open()).toBe(1)
  pass(1)
  expect(open()).toBe(0)
})

test.each([
  ['hovering', () => fireEvent.pointerMove(area()), () => fireEvent.pointerLeave(area())],
  ['focusing', () => fireEvent.focusIn(area()), () => fireEvent.focusOut(area())],
])('%s the area stops the clock', (_, enter, leave) => {
  say('Safe!')
  pass(2000)
  enter()
  pass(20_000)
  expect(open()).toBe(1)
  leave()
  pass(2999)
  expect(open()).toBe(1)
  pass(1)
  expect(open()).toBe(0)
})

test('F8 moves the focus into the area', () => {
  say('Safe!')
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
  expect(area().contains(document.activeElement)).toBe(true)
})

test('a button of a toast is reached with F8 and Tab, stays longer, and closes the toast', () => {
  const onPress = vi.fn()
  act(() => void toast({ title: 'Verified', button: { label: 'Undo', otherwise: 'Take it back', onPress } }))
  pass(TOAST_ACTION_DURATION - 1)
  expect(open()).toBe(1)
  const undo = screen.getByRole('button', { name: 'Undo' })
  expect(undo.tabIndex).toBe(0)
  fireEvent.click(undo)
  expect(onPress).toHaveBeenCalledOnce()
  expect(open()).toBe(0)
})

test('a toast with a button closes after 8000 ms', () => {
  act(() => void toast({ title: 'Verified', button: { label: 'Undo', otherwise: 'Take it back', onPress: vi.fn() } }))
  pass(TOAST_ACTION_DURATION)
  expect(open()).toBe(0)
})

test('each variant looks like no other', () => {
  const variants: ToastVariant[] = ['default', 'destructive', 'success', 'error', 'warning', 'info']
  const looks = variants.map((variant) => {
    say(variant, variant)
    return screen.getByText(variant).closest('li')?.className
  })
  expect(new Set(looks).size).toBe(6)
})
