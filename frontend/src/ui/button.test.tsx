import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Button } from '@/ui/button'

const look = (button: React.JSX.Element) => {
  const { unmount } = render(button)
  const { className } = screen.getByRole('button')
  unmount()
  return className
}

// Specification section 2, "Button styles": each of them looks like no other, and the first of each is what one gets unasked.
test('there are seven variants', () => {
  const variants = ['default', 'destructive', 'outline', 'secondary', 'ghost', 'link', 'glow'] as const
  const looks = variants.map((variant) => look(<Button variant={variant}>Play</Button>))
  expect(new Set(looks).size).toBe(7)
  expect(look(<Button>Play</Button>)).toBe(looks[0])
})

test('there are four sizes', () => {
  const sizes = ['default', 'sm', 'lg', 'icon'] as const
  const looks = sizes.map((size) => look(<Button size={size}>Play</Button>))
  expect(new Set(looks).size).toBe(4)
  expect(look(<Button>Play</Button>)).toBe(looks[0])
})

test('a button sends no form unless it says so, and can be drawn as a link', () => {
  render(
    <>
      <Button>Play</Button>
      <Button type="submit">Send</Button>
      <Button asChild>
        <a href="/camps">Camps</a>
      </Button>
    </>,
  )
  expect(screen.getByRole('button', { name: 'Play' }).getAttribute('type')).toBe('button')
  expect(screen.getByRole('button', { name: 'Send' }).getAttribute('type')).toBe('submit')
  expect(screen.getByRole('link', { name: 'Camps' }).className).toContain('rounded-lg')
})
