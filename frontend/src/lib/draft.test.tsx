import { fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { useDraft } from '@/lib/draft'
import { forgetDraft, forgetDraftsOfOthers, hasDraft, keptDrafts } from '@/lib/draft-storage'

function Form() {
  const form = useForm({ defaultValues: { bio: '', password: '' } })
  useDraft({ id: 'bio', description: 'Your biography', location: 'Profile' }, form, ['password'])
  return (
    <form onSubmit={form.handleSubmit((values) => form.reset(values))}>
      <input aria-label="Bio" {...form.register('bio')} />
      <input aria-label="Password" {...form.register('password')} />
      <button>Save</button>
    </form>
  )
}

const bio = () => screen.getByLabelText<HTMLInputElement>('Bio')
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })

// Issue 5: "nothing typed is lost (passwords and codes aside), also not by a reload".
test('a form that is opened again holds what was typed, but no password', () => {
  const { unmount } = render(<Form />)
  type('Bio', 'Left-handed')
  type('Password', 'secret')
  expect(sessionStorage.getItem('draft:bio')).toContain('"values":{"bio":"Left-handed"}')
  expect(JSON.stringify(sessionStorage)).not.toContain('secret')
  unmount()
  render(<Form />)
  expect(bio().value).toBe('Left-handed')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
})

test('what was saved is kept no longer', async () => {
  render(<Form />)
  type('Bio', 'Left-handed')
  expect(hasDraft('bio')).toBe(true)
  fireEvent.click(screen.getByRole('button'))
  await expect.poll(() => hasDraft('bio')).toBe(false)
})

test('what was typed and taken back is nothing', () => {
  render(<Form />)
  type('Bio', 'x')
  type('Bio', '')
  expect(hasDraft('bio')).toBe(false)
})

test('a password alone leaves nothing', () => {
  render(<Form />)
  type('Password', 'secret')
  expect(sessionStorage.length).toBe(0)
})

test('what was left is named until somebody else signs in', () => {
  forgetDraftsOfOthers('ana')
  const { unmount } = render(<Form />)
  type('Bio', 'Left-handed')
  unmount()
  forgetDraftsOfOthers('ana')
  expect(keptDrafts()).toEqual([{ id: 'bio', description: 'Your biography', location: 'Profile' }])
  forgetDraftsOfOthers('bo')
  expect(keptDrafts()).toEqual([])
})

test.each(['not JSON', '[]', '7'])('%s in the storage is survived', (text) => {
  sessionStorage.setItem('draft:bio', text)
  render(<Form />)
  expect(bio().value).toBe('')
  forgetDraft('bio')
  expect(sessionStorage.length).toBe(0)
})
