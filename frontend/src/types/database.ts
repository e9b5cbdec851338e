export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      page_views: {
        Row: { page_path: string; user_id: string; viewed_at: string }
        Insert: { page_path: string; user_id?: string; viewed_at?: string }
        Update: { page_path?: string; user_id?: string; viewed_at?: string }
        Relationships: []
      }
      referral_analytics: {
        Row: {
          action: string
          converted_user_id: string | null
          ip_address: string | null
          referral_code: string
          timestamp: string
          user_agent: string | null
        }
        Insert: {
          action: string
          converted_user_id?: string | null
          ip_address?: string | null
          referral_code: string
          timestamp?: string
          user_agent?: string | null
        }
        Update: {
          action?: string
          converted_user_id?: string | null
          ip_address?: string | null
          referral_code?: string
          timestamp?: string
          user_agent?: string | null
        }
        Relationships: []
      }
      user_sessions: {
        Row: {
          device_type: string
          id: string
          last_activity: string
          session_duration: number
          session_start: string
          user_id: string
        }
        Insert: {
          device_type: string
          id?: string
          last_activity?: string
          session_duration?: number
          session_start?: string
          user_id?: string
        }
        Update: {
          device_type?: string
          id?: string
          last_activity?: string
          session_duration?: number
          session_start?: string
          user_id?: string
        }
        Relationships: []
      }
      users: {
        Row: {
          bonus_tokens_awarded: boolean
          created_at: string
          email: string
          full_name: string
          id: string
          is_admin: boolean
          public_profile: boolean
          referral_tokens: number
          role: string
          user_type: string
        }
        Insert: {
          bonus_tokens_awarded?: boolean
          created_at?: string
          email: string
          full_name: string
          id: string
          is_admin?: boolean
          public_profile?: boolean
          referral_tokens?: number
          role?: string
          user_type?: string
        }
        Update: {
          bonus_tokens_awarded?: boolean
          created_at?: string
          email?: string
          full_name?: string
          id?: string
          is_admin?: boolean
          public_profile?: boolean
          referral_tokens?: number
          role?: string
          user_type?: string
        }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      increment_referral_clicks: { Args: { code: string }; Returns: undefined }
      increment_referral_conversions: { Args: { code: string }; Returns: undefined }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
