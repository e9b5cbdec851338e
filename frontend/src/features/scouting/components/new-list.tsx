import { Plus } from 'lucide-react'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { LIST_FIELDS, schemas } from '@/features/scouting/model'
import { useScoutingForms } from '@/data/scouting/mutations'

/** Begins another list. */
export function NewList({ userId, location }: { userId: string; location: string }) {
  const { createList } = useScoutingForms()
  return (
    <RecordDialog
      trigger={
        <Button variant="outline">
          <Plus aria-hidden />
          New list
        </Button>
      }
      title="Begin a list"
      text="Only you see it and who is on it."
      fields={LIST_FIELDS}
      schema={async () => (await schemas()).listSchema}
      defaults={{ name: '' }}
      draft={`watchlist:${userId}`}
      location={location}
      onSave={createList}
    />
  )
}
