import { preload } from '@/app/loads'
import { keepReferral } from '@/data/referrals/kept-code'
import '@/index.css'

/*
 * What the page runs first: small, so that it can ask for everything else at once. vite-preload.ts puts the files of main.tsx
 * into the page's head, so that they are on their way even before this.
 */
void import('@/main')
preload(window.location.pathname)
// Kept before the app has loaded: a visitor may follow a link at once.
keepReferral(window.location.search, localStorage)
