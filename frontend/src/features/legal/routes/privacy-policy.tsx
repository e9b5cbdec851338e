import { Document, type Chapter } from '@/features/legal/components/document'

const CHAPTERS: readonly Chapter[] = [
  {
    title: 'What we keep',
    paragraphs: [
      'Your account: name, email address, role, and a hash of your password that cannot be turned back into it.',
      'Your profile: what you enter about yourself as a player, coach or scout, with who entered and who verified each measurement.',
      'Your birth date, if you give it. It decides who may see your profile and is shown to nobody but you and your guardians.',
      'Which pages you open while signed in, and how long a visit lasts, so that we know what is used.',
      'When somebody follows a referral link: the code, the time, the network address and the browser. The counters themselves work with a hash whose key is thrown away each day.',
    ],
  },
  {
    title: 'Who sees it',
    paragraphs: [
      'A profile that is public is seen by everybody, once its owner has given a birth date. A private one is seen by its owner, the owner’s guardians and the coaches of the owner’s team. These rules are kept by the database itself, not by the pages.',
      'Your email address, your birth date and your notes about other people are never part of a public profile.',
      'We sell nothing and pass nothing on to advertisers.',
    ],
  },
  {
    title: 'Young players',
    paragraphs: [
      'Until somebody has given a birth date, we treat the account as a minor’s, and its profile stays hidden.',
      'Somebody under 13 stays invisible until a parent or guardian has accepted the account from one of their own. A guardian sees what the child enters, may hide the profile, and stays in charge until the child comes of age.',
    ],
  },
  {
    title: 'What stays in your browser',
    paragraphs: [
      'Your sign-in, your notifications, a referral code until you sign up, and what you have typed but not saved. Logging out empties all of it. There are no cookies for advertising.',
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      'In Settings you can take everything we hold about you with you as a file, change it, sign out of any device, and delete your account with all that belongs to it, except for the hashes named below. Deletion is at once and cannot be taken back.',
      'Of an account that was suspended we keep a hash of its email address and the reason after deletion, so that signing up again does not undo the suspension.',
      'Of an account of somebody under 18 we keep a keyed hash of its email address with the birth date after deletion, until that person’s eighteenth birthday, so that a child does not sign up again as an adult. Only a guardian deletes the account of a player in their care.',
      'For anything else, write to us by the contact page.',
    ],
  },
]

/** `/privacy-policy` */
export default function PrivacyPolicyScreen() {
  return (
    <Document
      title="Privacy Policy"
      updated="November 21, 2026"
      lead="Dugout holds what you tell it about your baseball, shows it to whom you choose, and gives it back or forgets it when you say so."
      chapters={CHAPTERS}
    />
  )
}
