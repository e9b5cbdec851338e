import { z } from 'zod'

/** The same bounds as `send_contact_message` has. */
export const contactSchema = z.object({
  name: z.string().trim().min(1, 'Please tell us your name.').max(120, 'Please keep your name under 120 characters.'),
  email: z
    .string()
    .trim()
    .max(320, 'That address is too long.')
    .pipe(z.email('Please enter an email address that we can answer to.')),
  subject: z
    .string()
    .trim()
    .min(1, 'Please say in a few words what it is about.')
    .max(150, 'Please keep the subject under 150 characters.'),
  message: z.string().trim().min(1, 'Please write your message.').max(5000, 'Please keep it under 5,000 characters.'),
})

export type ContactValues = z.output<typeof contactSchema>
