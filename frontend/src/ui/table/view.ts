import { useSearchParams } from 'react-router'
import { parseView, writeView, type Filter, type View } from '@/ui/table/model'

export type TableView = { view: View; change: (change: Partial<View>) => void }

/**
 * What of a table is looked at, kept in the address, so that a link shows what one sees.
 * @param prefix keeps this table's search and order apart from another's
 */
export function useTableView(prefix: string, filters: readonly Pick<Filter, 'id'>[]): TableView {
  const [parameters, setParameters] = useSearchParams()
  const ids = filters.map(({ id }) => id)
  return {
    view: parseView(parameters, prefix, ids),
    change: (change) =>
      setParameters((now) => writeView(now, prefix, change), { replace: true, preventScrollReset: true }),
  }
}
