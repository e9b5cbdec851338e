import { preload } from '@/app/loads'
import { keepReferral } from '@/data/referrals/kept-code'
import '@/index.css'

/*
 * The page's first script. It is small, so that it can request everything else early. vite-preload.ts lists the files of main.tsx
 * in the page's head, so that they are requested even before this runs.
 */
void import('@/main')
preload(window.location.pathname)
// Before the app has loaded, because a visitor may follow a link at once.
keepReferral(window.location.search, localStorage)
