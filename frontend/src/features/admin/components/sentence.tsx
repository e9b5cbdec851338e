import { Link } from 'react-router'
import { userAddress } from '@/features/admin/addresses'
import { actorOf, sentenceOf, type AuditLine } from '@/features/admin/model'

const LINK = 'font-medium underline underline-offset-4 hover:text-primary'

/** A line of the audit log. The names of existing accounts are links. */
export function Sentence({ line }: { line: AuditLine }) {
  const { before, subject, after } = sentenceOf(line)
  return (
    <>
      <Person id={line.actor_name === null ? null : line.actor_id} name={actorOf(line)} /> {before}{' '}
      <Person id={subject && line.subject_user_id} name={subject} /> {after}
    </>
  )
}

function Person({ id, name }: { id: string | null; name: string }) {
  if (!id) return name
  return (
    <Link to={userAddress(id)} className={LINK}>
      {name}
    </Link>
  )
}
