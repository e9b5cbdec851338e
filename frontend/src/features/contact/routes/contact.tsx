import { zodResolver } from '@hookform/resolvers/zod'
import { MailCheck } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { explain } from '@/lib/explain'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card, PageHeader } from '@/ui/section'
import { Textarea } from '@/ui/textarea'
import { contactSchema, type ContactValues } from '@/features/contact/model'
import { useSendMessage } from '@/data/contact/mutations'

/** `/contact`: sends a message to the people who run this site. */
export default function ContactScreen() {
  const send = useSendMessage()
  usePageTitle('Contact Us')
  return (
    <div className="mx-auto grid max-w-2xl gap-6">
      <PageHeader
        title="Contact Us"
        text="Questions, a whole league to bring along, something broken: we read everything."
      />
      {send.isSuccess ? (
        <Card title="Thank you">
          <p role="status" className="flex gap-3">
            <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" />
            Your message has arrived. We answer to the address you gave.
          </p>
          <Button variant="outline" className="justify-self-start" onClick={() => send.reset()}>
            Write another
          </Button>
        </Card>
      ) : (
        <ContactForm send={send} />
      )}
    </div>
  )
}

const DRAFT = 'contact'

function ContactForm({ send }: { send: ReturnType<typeof useSendMessage> }) {
  const { user } = useSession()
  const form = useForm<ContactValues>({
    resolver: zodResolver(contactSchema),
    defaultValues: { name: nameOf(user?.user_metadata), email: user?.email ?? '', subject: '', message: '' },
  })
  useDraft({ id: DRAFT, description: 'Your message', location: 'Contact Us' }, form)
  const { register, handleSubmit, reset, formState } = form
  const errors = formState.errors
  const control = (name: keyof ContactValues) => ({
    ...described(`contact-${name}`, errors[name]?.message),
    'aria-required': true,
    ...register(name),
  })
  return (
    <form
      noValidate
      className="grid gap-5 rounded-2xl border border-border bg-card p-5 sm:p-6"
      onSubmit={handleSubmit(async (values) => {
        await send.mutateAsync(values).then(
          () => {
            reset(values)
            forgetDraft(DRAFT)
          },
          () => undefined,
        )
      })}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field id="contact-name" label="Name" error={errors.name?.message}>
          <Input autoComplete="name" {...control('name')} />
        </Field>
        <Field id="contact-email" label="Email" error={errors.email?.message}>
          <Input type="email" autoComplete="email" {...control('email')} />
        </Field>
      </div>
      <Field id="contact-subject" label="Subject" error={errors.subject?.message}>
        <Input {...control('subject')} />
      </Field>
      <Field id="contact-message" label="Message" error={errors.message?.message}>
        <Textarea rows={7} {...control('message')} />
      </Field>
      {send.isError && (
        <p role="alert" className="text-sm text-destructive">
          {explain(send.error, 'Your message was not sent. Please try again.')} Nothing you wrote is lost.
        </p>
      )}
      <Button type="submit" size="lg" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Sending…' : 'Send message'}
      </Button>
    </form>
  )
}

/** The name from sign-up, if there is one. */
function nameOf(metadata: unknown): string {
  const name: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'full_name') : ''
  return typeof name === 'string' ? name : ''
}
