import { useMutation } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase'
import type { Database } from '@/types/database'

type ContactValues = Database['public']['Functions']['send_contact_message']['Args']

export function useSendMessage() {
  return useMutation({
    mutationFn: async (message: ContactValues) => {
      const { error } = await supabase.rpc('send_contact_message', message)
      if (error) throw error
    },
  })
}
