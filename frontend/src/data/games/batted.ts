import { queryOptions } from '@tanstack/react-query'
import type { GameRecord } from '@/data/games/model'
import { OPENED_PROFILE } from '@/data/players/queries'
import { supabase, unwrap } from '@/lib/supabase'

/** The player's plate appearances in the last 30 public final games whose record says where the ball came down. */
export const battedBallsQuery = (id: string) =>
  queryOptions({
    queryKey: ['games', 'batted', id],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.rpc('batted_balls_of', { player: id }).setHeader(OPENED_PROFILE, id).abortSignal(signal),
        // Only the function `score` writes outcomes; a spray chart reads these three parts of them.
      ) as unknown as Pick<GameRecord, 'id' | 'record' | 'outcome'>[],
  })
