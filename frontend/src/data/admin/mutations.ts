import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

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
    setMembership: async (user_id: string, tier: string, reason: string) => {
      await supabase.rpc('admin_set_membership', { user_id, tier, reason }).throwOnError()
      await changed()
    },
    adjustTokens: async (user_id: string, amount: number, reason: string) => {
      await supabase.rpc('admin_adjust_tokens', { user_id, amount, reason }).throwOnError()
      await changed()
    },
    clearBirthDate: async (user_id: string, reason: string) => {
      await supabase.rpc('admin_clear_birth_date', { user_id, reason }).throwOnError()
      await changed()
    },
    handleReports: async (report_ids: string[], status: string, resolution: string) => {
      await supabase.rpc('admin_handle_reports', { report_ids, status, resolution }).throwOnError()
      await changed()
    },
    /** `kind`: post or comment. */
    moderate: async (kind: string, id: string, removed: boolean, reason: string) => {
      await supabase.rpc('admin_moderate', { kind, id, removed, reason }).throwOnError()
      await changed()
    },
  }
}

const failed = (error: unknown) =>
  toast({ title: 'That was not saved', description: messageOf(error, 'Please try again.'), variant: 'error' })

/** What is a button without a form tells by a toast what went wrong. */
export function useVerify(user_id: string, role: 'coach' | 'scout') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (verified: boolean) => {
      await supabase.rpc(`admin_verify_${role}`, { user_id, verified }).throwOnError()
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
    onError: failed,
  })
}

export function useHandleMessage(message_id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (handled: boolean) => {
      await supabase.rpc('admin_handle_contact', { message_id, handled }).throwOnError()
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
    onError: failed,
  })
}
