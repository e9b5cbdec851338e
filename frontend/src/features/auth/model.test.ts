import { describe, expect, test } from 'vitest'
import { coachSchema, signUpSchema } from '@/features/auth/model'

const visitor = {
  fullName: 'Ana Ruiz',
  email: 'ana@x.test',
  password: 'secret',
  confirmPassword: 'secret',
  role: 'player',
}
const coach = {
  fullName: 'Bo Diaz',
  email: 'bo@x.test',
  password: 'secret',
  confirmPassword: 'secret',
  league: 'Cape Cod',
  yearsCoaching: '0',
  teamName: 'Gulls',
  monthsCurrentLeague: '11',
  yearsCurrentLeague: '0',
  monthsCurrentTeam: '0',
  yearsCurrentTeam: '49',
}

function messages(schema: typeof signUpSchema | typeof coachSchema, values: object): string[] {
  return schema.safeParse(values).error?.issues.map((issue) => issue.message) ?? []
}

// Specification section 5, "General signup": the first message is the one reported.
describe('sign-up is checked in this order', () => {
  test.each([
    [{ fullName: ' ', email: '', password: 'short', confirmPassword: 'x' }, 'Full name is required'],
    [{ email: ' ', password: 'short', confirmPassword: 'x' }, 'Email is required'],
    [{ password: '12345', confirmPassword: 'x' }, 'Password must be at least 6 characters'],
    [{ password: '123456', confirmPassword: 'x' }, 'Passwords do not match'],
    [{ password: '123456', confirmPassword: '123456' }, undefined],
  ])('%j: %s', (change, message) => {
    expect(messages(signUpSchema, { ...visitor, ...change })[0]).toBe(message)
  })

  test('and the email is trimmed', () => {
    expect(signUpSchema.parse({ ...visitor, email: '  ana@x.test ' }).email).toBe('ana@x.test')
  })
})

// Section 5, "Coach form errors", listed together.
describe('the coach form', () => {
  test('lists everything at once', () => {
    const empty = {
      fullName: '',
      email: '',
      password: '',
      confirmPassword: 'x',
      league: ' ',
      yearsCoaching: '',
      teamName: '',
    }
    expect(messages(coachSchema, { ...coach, ...empty }).sort()).toEqual([
      'Email is required.',
      'Full name is required.',
      'League is required.',
      'Password must be at least 6 characters.',
      'Passwords do not match.',
      'Team name is required.',
      'Years coaching is required.',
    ])
  })

  test.each([
    [{ yearsCoaching: '49', monthsCurrentTeam: '11' }, true],
    [{ yearsCoaching: '50' }, false],
    [{ monthsCurrentTeam: '12' }, false],
    [{ yearsCurrentLeague: '-1' }, false],
  ])('takes %j: %s', (change, valid) => {
    expect(coachSchema.safeParse({ ...coach, ...change }).success).toBe(valid)
  })
})
