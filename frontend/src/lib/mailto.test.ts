import { expect, test } from 'vitest'
import { mailto } from '@/lib/mailto'

test('an address cannot add to the letter', () => {
  expect(mailto('ana@x.test', 'Re: a & b')).toBe('mailto:ana@x.test?subject=Re%3A%20a%20%26%20b')
  expect(mailto('ana?cc=bo@x.test', 'Hi', 'One\nTwo')).toBe('mailto:ana%3Fcc%3Dbo@x.test?subject=Hi&body=One%0ATwo')
})
