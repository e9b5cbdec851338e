import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { NotificationBell } from '@/features/notifications/components/notification-bell'
import { NOTIFICATION_LIMIT } from '@/features/notifications/model'
import { notify } from '@/features/notifications/store'

// Specification section 2, "Notifications panel", and section 9.

const MINUTE = 60_000

/** Stores what is a number of minutes old. */
function keep(...minutes: number[]) {
  const list = minutes.map((age, index) => ({
    id: String(index),
    type: 'info',
    title: `Inning ${index + 1}`,
    description: 'A run scores.',
    timestamp: Date.now() - age * MINUTE,
    read: false,
  }))
  localStorage.setItem('notifications', JSON.stringify(list))
}

async function open() {
  const person = userEvent.setup()
  render(<NotificationBell />)
  await person.click(screen.getByRole('button', { name: /^Notifications/ }))
  await screen.findByRole('dialog', { name: 'Notifications' })
  return person
}

const bell = () => screen.getByRole('button', { name: /^Notifications/, hidden: true })
const kept = () => JSON.parse(localStorage.getItem('notifications') ?? '[]') as { title: string; read: boolean }[]

test('nothing to say is said', async () => {
  await open()
  expect(screen.getByText('No notifications')).toBeTruthy()
  expect(bell().textContent).toBe('')
})

test('the latest is on top, with how long ago that was', async () => {
  keep(0, 5, 3 * 60, 2 * 24 * 60)
  await open()
  const times = screen.getAllByRole('listitem').map((item) => /Just now|\d+[mhd] ago/.exec(item.textContent)?.[0])
  expect(times).toEqual(['Just now', '5m ago', '3h ago', '2d ago'])
  expect(bell().textContent).toBe('4')
})

test('above nine unread the badge says 9+, and no more than fifty are kept', () => {
  render(<NotificationBell />)
  for (let count = 1; count <= NOTIFICATION_LIMIT + 1; count++) {
    notify({ type: 'info', title: `Inning ${count}`, description: '' })
  }
  return screen.findByText('9+').then(() => {
    expect(kept()).toHaveLength(NOTIFICATION_LIMIT)
    expect(kept()[0]?.title).toBe(`Inning ${NOTIFICATION_LIMIT + 1}`)
  })
})

test('one is read, one is deleted, all are read, all are cleared', async () => {
  keep(0, 1, 2)
  const person = await open()
  const item = (title: string) => within(screen.getByText(title).closest('li') ?? document.body)
  await person.click(item('Inning 2').getByRole('button', { name: 'Mark as read: Inning 2' }))
  expect(kept().map(({ read }) => read)).toEqual([false, true, false])
  expect(item('Inning 2').queryByRole('button', { name: /^Mark as read/ })).toBeNull()
  expect(bell().textContent).toBe('2')
  await person.click(item('Inning 1').getByRole('button', { name: 'Delete: Inning 1' }))
  expect(kept().map(({ title }) => title)).toEqual(['Inning 2', 'Inning 3'])
  await person.click(screen.getByRole('button', { name: 'Mark all read' }))
  expect(kept().every(({ read }) => read)).toBe(true)
  expect(bell().textContent).toBe('')
  await person.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(kept()).toEqual([])
  expect(screen.getByText('No notifications')).toBeTruthy()
})
