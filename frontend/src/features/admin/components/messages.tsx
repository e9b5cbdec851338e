import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { moment } from '@/lib/format'
import { mailto } from '@/lib/mailto'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import type { Column } from '@/ui/table/grid'
import type { Filter } from '@/ui/table/model'
import { PagedTable } from '@/ui/table/paged-table'
import { useTableView } from '@/ui/table/view'
import { userAddress } from '@/features/admin/addresses'
import { messagesList } from '@/data/admin/lists'
import { useHandleMessage } from '@/data/admin/mutations'

type Message = {
  id: string
  created_at: string
  user_id: string | null
  name: string
  email: string
  subject: string
  message: string
  handled_at: string | null
}

const COLUMNS: readonly Column<Message>[] = [
  {
    id: 'when',
    header: 'When',
    value: (row) => row.created_at,
    cell: (row) => <span className="whitespace-nowrap">{moment(row.created_at)}</span>,
  },
  { id: 'from', header: 'From', value: (row) => `${row.name} <${row.email}>` },
  { id: 'subject', header: 'Subject', value: (row) => row.subject },
  {
    id: 'message',
    header: 'Message',
    sortable: false,
    value: (row) => row.message,
    cell: (row) => <span className="line-clamp-2 wrap-anywhere sm:min-w-40">{row.message}</span>,
  },
  { id: 'state', header: 'State', value: (row) => (row.handled_at ? 'Done' : 'Open') },
  { id: 'actions', header: '', value: () => null, cell: (row) => <Reading message={row} /> },
]

const FILTERS: readonly Filter[] = [
  {
    id: 'state',
    label: 'State',
    options: [
      ['open', 'Open'],
      ['done', 'Done'],
    ],
  },
]

/** What people wrote by the contact page. */
export default function Messages() {
  const table = useTableView('m.', FILTERS)
  return (
    <PagedTable
      name="Messages"
      query={useQuery(messagesList.page(table.view))}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      empty="Nobody has written yet."
      filters={FILTERS}
      everyRow={() => messagesList.everyRow(table.view)}
      view={table.view}
      change={table.change}
    />
  )
}

/** A message as a whole, with what can be done about it. */
function Reading({ message }: { message: Message }) {
  const { id, created_at, user_id, name, email, subject, handled_at } = message
  const handle = useHandleMessage(id)
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={`Read the message of ${name}`}>
          Read
        </Button>
      </DialogTrigger>
      <DialogContent className="max-w-xl">
        <div className="grid gap-2">
          <DialogTitle className="wrap-anywhere">{subject || 'Without a subject'}</DialogTitle>
          <DialogDescription className="wrap-anywhere">
            {name}, {email}, {moment(created_at)}
          </DialogDescription>
        </div>
        <p className="whitespace-pre-line wrap-anywhere">{message.message}</p>
        <div className="flex flex-wrap justify-end gap-3">
          {user_id && (
            <Button asChild variant="ghost" className="mr-auto">
              <Link to={userAddress(user_id)}>Account</Link>
            </Button>
          )}
          <Button variant="outline" disabled={handle.isPending} onClick={() => handle.mutate(!handled_at)}>
            {handled_at ? 'Open again' : 'Done'}
          </Button>
          <Button asChild>
            <a href={mailto(email, `Re: ${subject}`)}>Answer by email</a>
          </Button>
          <DialogClose asChild>
            <Button variant="outline">Close</Button>
          </DialogClose>
        </div>
      </DialogContent>
    </Dialog>
  )
}
