import { useQueryClient } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase'

/** What admins do; each throws what the server says, for the form to say, and makes every figure stale. */
export function useAdministration() {
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: ['admin'] })
  return {
    suspend: async (user_id: string, reason: string) => {
      await supabase.rpc('admin_suspend_user', { user_id, reason }).throwOnError()
      await changed()
    },
    unsuspend: async (user_id: string, reason: string) => {
      await supabase.rpc('admin_unsuspend_user', { user_id, reason }).throwOnError()
      await changed()
    },
    setRole: async (user_id: string, role: string, reason: string) => {
      await supabase.rpc('admin_set_role', { user_id, role, reason }).throwOnError()
      await changed()
    },
    handleReport: async (report_id: string, status: string, resolution: string) => {
      await supabase.rpc('admin_handle_report', { report_id, status, resolution }).throwOnError()
      await changed()
    },
    handleMessage: async (message_id: string) => {
      await supabase.rpc('admin_handle_contact', { message_id }).throwOnError()
      await changed()
    },
  }
}
