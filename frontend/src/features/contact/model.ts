import { z } from 'zod'

export const contactSchema = z.object({
  name: z.string().trim().min(1, 'Please tell us your name.').max(200, 'That name is too long.'),
  email: z.email('Please enter an email address that we can answer to.').max(320, 'That address is too long.'),
  subject: z
    .string()
    .trim()
    .min(1, 'Please say in a few words what it is about.')
    .max(200, 'Please shorten the subject.'),
  message: z.string().trim().min(1, 'Please write your message.').max(5000, 'Please keep it under 5,000 characters.'),
})

export type ContactValues = z.output<typeof contactSchema>
