import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Logo } from '@/ui/logo'

const LINKS = [
  { to: paths.contact, label: 'Contact Us' },
  { to: paths.privacyPolicy, label: 'Privacy Policy' },
  { to: paths.termsOfService, label: 'Terms of Service' },
]

export function Footer() {
  return (
    <footer className="bg-night text-night-foreground print:hidden">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-10 gap-y-6 px-5 py-10">
        <Logo />
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          {LINKS.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="text-night-muted underline-offset-4 hover:text-night-foreground hover:underline"
            >
              {label}
            </Link>
          ))}
        </nav>
        {/* The year is the specification's (section 9). */}
        <p className="w-full text-sm text-night-muted sm:w-auto">© 2024 Dugout</p>
      </div>
    </footer>
  )
}
