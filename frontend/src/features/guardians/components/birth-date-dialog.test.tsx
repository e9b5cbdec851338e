import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { BirthDateDialog } from '@/features/guardians/components/birth-date-dialog'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const ward = { ward_id: 'kid', full_name: 'Remy Vega', birth_date: null } as Parameters<
  typeof BirthDateDialog
>[0]['ward']
const corrections = () => fake.calls.filter(([, name]) => name === 'correct_birth_date')
const yearsAgo = (years: number) => {
  const day = new Date()
  day.setUTCFullYear(day.getUTCFullYear() - years, 0, 1)
  return day.toISOString().slice(0, 10)
}

beforeEach(() => {
  fake.reset()
  fake.answers = { correct_birth_date: { data: null } }
})

/** Opens the dialog, fills it in and presses its button. */
async function enter(birthDate: string, button: string) {
  const person = renderRoutes([{ path: '/', element: <BirthDateDialog ward={ward} /> }])
  await person.click(await screen.findByRole('button', { name: 'Correct the birth date' }))
  await person.type(await screen.findByLabelText('Birth date'), birthDate)
  await person.click(screen.getByRole('button', { name: button }))
  return person
}

// Issue 10, C7.
test("a child's birth date is confirmed before it is saved", async () => {
  const person = await enter(yearsAgo(12), 'Save')
  const question = () => within(screen.getByRole('alertdialog'))
  await screen.findByRole('alertdialog')
  expect(question().getByText(/That makes Remy Vega 12 years old/)).toBeTruthy()
  expect(corrections()).toEqual([])
  await person.click(question().getByRole('button', { name: 'Change' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(corrections()).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await person.click(question().getByRole('button', { name: 'Yes, save' }))
  await waitFor(() => expect(corrections()).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test("an adult's birth date is confirmed with its consequence", async () => {
  const person = await enter(yearsAgo(19), 'Save and end my guardianship')
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(/19 years old. Saving ends your guardianship/)).toBeTruthy()
  expect(corrections()).toEqual([])
  await person.click(question.getByRole('button', { name: 'Yes, end my guardianship' }))
  await waitFor(() => expect(corrections()).toHaveLength(1))
})
