import { expect, test } from 'vitest'
import { reportSchema } from '@/features/reports/schemas'

test.each([
  ['spam', '', undefined],
  ['other', 'A bot.', undefined],
  ['other', '  ', 'Please say what is wrong.'],
  ['', 'A bot.', 'Please choose a reason.'],
  ['nonsense', '', 'Please choose a reason.'],
  ['spam', 'x'.repeat(2001), 'Please keep it under 2,000 characters.'],
])('a report for %j with %j: %j', (reason, details, problem) => {
  expect(reportSchema.safeParse({ reason, details }).error?.issues[0]?.message).toBe(problem)
})
