import { useSearchParams } from 'react-router'
import { parseView, writeView, type Filter, type View } from '@/ui/table/model'

export type TableView = { view: View; change: (change: Partial<View>) => void }

/**
 * What of a table is looked at, kept in the address, so that a link shows what one sees.
 * @param prefix keeps this table's search and order apart from another's
 */
export function useTableView(prefix: string, filters: readonly Pick<Filter, 'id' | 'initial'>[]): TableView {
  const [parameters, setParameters] = useSearchParams()
  return {
    view: parseView(parameters, prefix, filters),
    change: (change) =>
      setParameters((now) => writeView(now, prefix, change, filters), { replace: true, preventScrollReset: true }),
  }
}
