import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Face, initials } from '@/ui/face'

test.each([
  ['Liam Hollis', 'LH'],
  ['  ana maría  de la cruz ', 'AC'],
  ['Ichiro', 'I'],
  ['👩‍🚀 Park', '👩P'],
  ['', ''],
])('the initials of "%s"', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('a photo that cannot be loaded gives way to the initials until there is another', () => {
  const onBroken = vi.fn()
  const { rerender } = render(<Face name="Liam Hollis" url="/a.jpg" size={40} alt="Photo" onBroken={onBroken} />)
  expect(screen.getByText('LH')).toBeTruthy()
  fireEvent.error(screen.getByRole('img', { name: 'Photo' }))
  expect(screen.queryByRole('img')).toBeNull()
  expect(onBroken).toHaveBeenCalledOnce()
  rerender(<Face name="Liam Hollis" url="/b.jpg" size={40} alt="Photo" onBroken={onBroken} />)
  expect(screen.getByRole('img', { name: 'Photo' })).toBeTruthy()
})
