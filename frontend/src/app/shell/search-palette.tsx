import { useQuery } from '@tanstack/react-query'
import { roleQuery } from '@/data/role/queries'
import { env } from '@/lib/env'
import Palette from '@/features/search/components/palette'
import { isAdminAddress, menuEntries } from '@/app/shell/menu'
import { UNBUILT } from '@/app/screens'

type SearchPaletteProps = {
  user: { id: string; email?: string }
  open: boolean
  onOpenChange: (open: boolean) => void
  onCloseAutoFocus: (event: Event) => void
}

/** The search box with the entries of the menu, but for the screens that are not there yet. */
export default function SearchPalette({ user: { id, email = '' }, ...dialog }: SearchPaletteProps) {
  const { data: role = 'fan' } = useQuery(roleQuery(id))
  const { data: admin = false } = useQuery({
    queryKey: ['admin-address', email],
    queryFn: () => isAdminAddress(email, env.adminEmailHashes),
    staleTime: Infinity,
  })
  const places = menuEntries(role, admin).filter(({ to }) => UNBUILT.every(({ path }) => path !== to))
  return <Palette userId={id} places={places} {...dialog} />
}
