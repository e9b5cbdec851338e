import { Document, type Chapter } from '@/features/legal/components/document'

const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Your account',
    paragraphs: [
      'One account is one person’s. Choose a password that you use nowhere else, and turn on two-step sign-in if you can.',
      'Somebody under 13 may use Dugout only together with a parent or guardian, who accepts the account from their own.',
    ],
  },
  {
    title: 'What you publish',
    paragraphs: [
      'What you enter stays yours. You let us show it to those to whom your settings show it, and no further.',
      'Enter what is true. Numbers that a coach or an event has verified are marked as such; claiming a verification that did not happen ends an account.',
      'Do not publish what belongs to somebody else, or shows somebody who would not want it.',
    ],
  },
  {
    title: 'How we treat each other',
    paragraphs: [
      'No harassment, no spam, no approach to a minor past that minor’s guardians. Profiles and videos can be reported; users who break these rules are suspended and learn why.',
    ],
  },
  {
    title: 'Tokens and memberships',
    paragraphs: [
      'Tokens are credits inside Dugout. They cannot be bought, sold or paid out, and every one of them stands in your ledger with its reason.',
      'The basic membership is free. Payment for the others is coming soon; until then nobody is charged, whatever was chosen at sign-up.',
    ],
  },
  {
    title: 'What we do not promise',
    paragraphs: [
      'Projections and percentiles are estimates, shown with what they rest on. They are no promise of a place on a team or at a college, and no medical advice.',
      'We work to keep Dugout running and your data safe, but cannot promise that it never fails.',
    ],
  },
]

/** `/terms-of-service` */
export default function TermsOfServiceScreen() {
  return (
    <Document
      title="Terms of Service"
      updated="November 21, 2026"
      lead="A short agreement between you and those who run this site, in words meant to be read."
      chapters={CHAPTERS}
    />
  )
}
