import { useMutation } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase'
import type { ContactValues } from '@/features/contact/model'

export function useSendMessage() {
  return useMutation({
    mutationFn: async (message: ContactValues) => {
      const { error } = await supabase.rpc('send_contact_message', message)
      if (error) throw error
    },
  })
}
