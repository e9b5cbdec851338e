import type { ComponentProps } from 'react'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'

/** The four fields that both sign-up forms begin with, in the order in which they are checked. */
export type AccountInput = { fullName: string; email: string; password: string; confirmPassword: string }

export const NO_ACCOUNT: AccountInput = { fullName: '', email: '', password: '', confirmPassword: '' }

/** What is never kept while one types. */
export const PASSWORDS = ['password', 'confirmPassword'] as const

const FIELDS = [
  { name: 'fullName', label: 'Full Name', type: 'text', autoComplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
  { name: 'password', label: 'Password', type: 'password', autoComplete: 'new-password' },
  { name: 'confirmPassword', label: 'Confirm Password', type: 'password', autoComplete: 'new-password' },
] as const

type AccountFieldsProps = {
  /** Makes the ids unique on the page. */
  prefix: string
  /** What the form knows of a field: its registration and whether it is wrong. */
  control: (name: keyof AccountInput) => ComponentProps<'input'>
}

export function AccountFields({ prefix, control }: AccountFieldsProps) {
  return FIELDS.map(({ name, label, ...input }) => (
    <Field key={name} id={`${prefix}-${name}`} label={label}>
      <Input id={`${prefix}-${name}`} aria-required {...input} {...control(name)} />
    </Field>
  ))
}
