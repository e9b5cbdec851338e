import { expect, test } from 'vitest'
import { firstName, greeting } from '@/features/home/model'

test.each([
  [0, 'Good evening'],
  [5, 'Good morning'],
  [11, 'Good morning'],
  [12, 'Good afternoon'],
  [17, 'Good afternoon'],
  [18, 'Good evening'],
])('at %i o’clock one says %s', (hour, words) => {
  expect(greeting(hour)).toBe(words)
})

test.each([
  ['Ana Maria Ruiz', 'ana.ruiz@x.test', 'Ana'],
  ['  ', 'ana.ruiz@x.test', 'ana.ruiz'],
  ['', 'ana.ruiz@x.test', 'ana.ruiz'],
  ['', null, 'friend'],
])('%j with %j is called %s', (fullName, email, name) => {
  expect(firstName(fullName, email)).toBe(name)
})
