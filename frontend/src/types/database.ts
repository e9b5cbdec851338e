
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "article_comments": {
                  Row: {
                    "article_id": string,"author_id": string,"body": string,"created_at": string,"id": string,"removal_reason": string | null,"reviewed_at": string | null,"state": string
                  }
                  ComputedFields: never
                  Insert: {
                    "article_id": string,"author_id"?: string,"body": string,"created_at"?: string,"id"?: string,"removal_reason"?: string | null,"reviewed_at"?: string | null,"state"?: string
                  }
                  Update: {
                    "article_id"?: string,"author_id"?: string,"body"?: string,"created_at"?: string,"id"?: string,"removal_reason"?: string | null,"reviewed_at"?: string | null,"state"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "article_comments_article_id_fkey"
      columns: ["article_id"]
isOneToOne: false
      referencedRelation: "articles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "article_comments_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"article_corrections": {
                  Row: {
                    "article_id": string,"corrected_at": string,"corrected_by": string | null,"id": string,"note": string
                  }
                  ComputedFields: never
                  Insert: {
                    "article_id": string,"corrected_at"?: string,"corrected_by"?: string | null,"id"?: string,"note": string
                  }
                  Update: {
                    "article_id"?: string,"corrected_at"?: string,"corrected_by"?: string | null,"id"?: string,"note"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "article_corrections_article_id_fkey"
      columns: ["article_id"]
isOneToOne: false
      referencedRelation: "articles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "article_corrections_corrected_by_fkey"
      columns: ["corrected_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"articles": {
                  Row: {
                    "author_id": string | null,"body": string,"comments_open": boolean,"cover": string | null,"cover_alt": string,"created_at": string,"game_id": string | null,"id": string,"kind": string,"names_minor": boolean,"published_at": string | null,"removal_reason": string | null,"status": string,"summary": string,"tags": (string)[],"team_id": string | null,"title": string,"updated_at": string,"vetted": boolean,"withdrawn_text": string | null,"withheld": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "author_id"?: string | null,"body"?: string,"comments_open"?: boolean,"cover"?: string | null,"cover_alt"?: string,"created_at"?: string,"game_id"?: string | null,"id"?: string,"kind"?: string,"names_minor"?: boolean,"published_at"?: string | null,"removal_reason"?: string | null,"status"?: string,"summary"?: string,"tags"?: (string)[],"team_id"?: string | null,"title": string,"updated_at"?: string,"vetted"?: boolean,"withdrawn_text"?: string | null,"withheld"?: boolean
                  }
                  Update: {
                    "author_id"?: string | null,"body"?: string,"comments_open"?: boolean,"cover"?: string | null,"cover_alt"?: string,"created_at"?: string,"game_id"?: string | null,"id"?: string,"kind"?: string,"names_minor"?: boolean,"published_at"?: string | null,"removal_reason"?: string | null,"status"?: string,"summary"?: string,"tags"?: (string)[],"team_id"?: string | null,"title"?: string,"updated_at"?: string,"vetted"?: boolean,"withdrawn_text"?: string | null,"withheld"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "articles_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "articles_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "articles_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"athlete_identities": {
                  Row: {
                    "athlete_id": string,"bats": string | null,"full_name": string | null,"throws": string | null,"user_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "athlete_id": string,"bats"?: string | null,"full_name"?: string | null,"throws"?: string | null,"user_id"?: string | null
                  }
                  Update: {
                    "athlete_id"?: string,"bats"?: string | null,"full_name"?: string | null,"throws"?: string | null,"user_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "athlete_identities_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: true
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "athlete_identities_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"athletes": {
                  Row: {
                    "created_at": string,"external_id": string | null,"id": string,"initial": string,"is_public": boolean,"league_id": string | null,"owner_team_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"external_id"?: string | null,"id"?: string,"initial": string,"is_public"?: boolean,"league_id"?: string | null,"owner_team_id"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"external_id"?: string | null,"id"?: string,"initial"?: string,"is_public"?: boolean,"league_id"?: string | null,"owner_team_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "athletes_league_id_fkey"
      columns: ["league_id"]
isOneToOne: false
      referencedRelation: "leagues"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "athletes_owner_team_id_fkey"
      columns: ["owner_team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"audit_log": {
                  Row: {
                    "action": string,"actor_id": string | null,"created_at": string,"detail": NonNullable<Json>,"id": number,"reason": string | null,"subject_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "action": string,"actor_id"?: string | null,"created_at"?: string,"detail"?: NonNullable<Json>,"id"?: never,"reason"?: string | null,"subject_id"?: string | null
                  }
                  Update: {
                    "action"?: string,"actor_id"?: string | null,"created_at"?: string,"detail"?: NonNullable<Json>,"id"?: never,"reason"?: string | null,"subject_id"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"batting_lines": {
                  Row: {
                    "ab": number,"avg": number | null,"bb": number,"created_at": string,"cs": number,"doubles": number,"g": number,"h": number,"hbp": number,"hr": number,"id": string,"league_name": string,"obp": number | null,"ops": number | null,"pa": number,"player_id": string,"r": number,"rbi": number,"sb": number,"season": number,"sf": number,"sh": number,"slg": number | null,"so": number,"team_name": string,"triples": number
                  }
                  ComputedFields: never
                  Insert: {
                    "ab"?: number,"avg"?: never,"bb"?: number,"created_at"?: string,"cs"?: number,"doubles"?: number,"g"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"id"?: string,"league_name"?: string,"obp"?: never,"ops"?: never,"pa"?: number,"player_id": string,"r"?: number,"rbi"?: number,"sb"?: number,"season": number,"sf"?: number,"sh"?: number,"slg"?: never,"so"?: number,"team_name"?: string,"triples"?: number
                  }
                  Update: {
                    "ab"?: number,"avg"?: never,"bb"?: number,"created_at"?: string,"cs"?: number,"doubles"?: number,"g"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"id"?: string,"league_name"?: string,"obp"?: never,"ops"?: never,"pa"?: number,"player_id"?: string,"r"?: number,"rbi"?: number,"sb"?: number,"season"?: number,"sf"?: number,"sh"?: number,"slg"?: never,"so"?: number,"team_name"?: string,"triples"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "batting_lines_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"birth_dates": {
                  Row: {
                    "answered_at": string,"birth_date": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "answered_at"?: string,"birth_date": string,"user_id": string
                  }
                  Update: {
                    "answered_at"?: string,"birth_date"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "birth_dates_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "birth_dates_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "birth_dates_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"blocks": {
                  Row: {
                    "blocked_id": string,"blocker_id": string,"created_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "blocked_id": string,"blocker_id"?: string,"created_at"?: string
                  }
                  Update: {
                    "blocked_id"?: string,"blocker_id"?: string,"created_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "blocks_blocked_id_fkey"
      columns: ["blocked_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "blocks_blocker_id_fkey"
      columns: ["blocker_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"coach_vouches": {
                  Row: {
                    "coach_id": string,"created_at": string,"id": string,"voucher_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "coach_id": string,"created_at"?: string,"id"?: string,"voucher_id": string
                  }
                  Update: {
                    "coach_id"?: string,"created_at"?: string,"id"?: string,"voucher_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "coach_vouches_coach_id_fkey"
      columns: ["coach_id"]
isOneToOne: false
      referencedRelation: "coaches"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "coach_vouches_voucher_id_fkey"
      columns: ["voucher_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"coaches": {
                  Row: {
                    "bio": string | null,"certifications": (string)[],"display_badges": boolean,"league": string,"months_current_league": number,"months_current_team": number,"team_name": string,"updated_at": string,"user_id": string,"verified_at": string | null,"years_coaching": number,"years_current_league": number,"years_current_team": number
                  }
                  ComputedFields: never
                  Insert: {
                    "bio"?: string | null,"certifications"?: (string)[],"display_badges"?: boolean,"league"?: string,"months_current_league"?: number,"months_current_team"?: number,"team_name"?: string,"updated_at"?: string,"user_id": string,"verified_at"?: string | null,"years_coaching"?: number,"years_current_league"?: number,"years_current_team"?: number
                  }
                  Update: {
                    "bio"?: string | null,"certifications"?: (string)[],"display_badges"?: boolean,"league"?: string,"months_current_league"?: number,"months_current_team"?: number,"team_name"?: string,"updated_at"?: string,"user_id"?: string,"verified_at"?: string | null,"years_coaching"?: number,"years_current_league"?: number,"years_current_team"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "coaches_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"college_contacts": {
                  Row: {
                    "body": string | null,"created_at": string,"happened_on": string,"id": string,"kind": string,"person": string | null,"player_id": string,"received": boolean,"target_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "body"?: string | null,"created_at"?: string,"happened_on"?: string,"id"?: string,"kind": string,"person"?: string | null,"player_id": string,"received"?: boolean,"target_id": string
                  }
                  Update: {
                    "body"?: string | null,"created_at"?: string,"happened_on"?: string,"id"?: string,"kind"?: string,"person"?: string | null,"player_id"?: string,"received"?: boolean,"target_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "college_contacts_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "college_contacts_target_fkey"
      columns: ["player_id","target_id"]
isOneToOne: false
      referencedRelation: "college_targets"
      referencedColumns: ["player_id","id"]
    }
                  ]
                },"college_letters": {
                  Row: {
                    "body": string,"created_at": string,"id": string,"player_id": string,"title": string,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "body": string,"created_at"?: string,"id"?: string,"player_id": string,"title": string,"updated_at"?: string
                  }
                  Update: {
                    "body"?: string,"created_at"?: string,"id"?: string,"player_id"?: string,"title"?: string,"updated_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "college_letters_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"college_plans": {
                  Row: {
                    "player_id": string,"shared_with_coaches": boolean,"updated_at": string,"what_if": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "player_id": string,"shared_with_coaches"?: boolean,"updated_at"?: string,"what_if"?: number | null
                  }
                  Update: {
                    "player_id"?: string,"shared_with_coaches"?: boolean,"updated_at"?: string,"what_if"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "college_plans_player_id_fkey"
      columns: ["player_id"]
isOneToOne: true
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"college_targets": {
                  Row: {
                    "created_at": string,"id": string,"next_on": string | null,"next_step": string | null,"notes": string | null,"offer": string | null,"player_id": string,"program_id": string,"reply_by": string | null,"status": string,"visit_kind": string | null,"visit_on": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"next_on"?: string | null,"next_step"?: string | null,"notes"?: string | null,"offer"?: string | null,"player_id": string,"program_id": string,"reply_by"?: string | null,"status"?: string,"visit_kind"?: string | null,"visit_on"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"next_on"?: string | null,"next_step"?: string | null,"notes"?: string | null,"offer"?: string | null,"player_id"?: string,"program_id"?: string,"reply_by"?: string | null,"status"?: string,"visit_kind"?: string | null,"visit_on"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "college_targets_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "college_targets_program_id_fkey"
      columns: ["program_id"]
isOneToOne: false
      referencedRelation: "programs"
      referencedColumns: ["id"]
    }
                  ]
                },"college_tasks": {
                  Row: {
                    "created_at": string,"done_on": string | null,"due_on": string | null,"grade": number,"id": string,"player_id": string,"title": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"done_on"?: string | null,"due_on"?: string | null,"grade": number,"id"?: string,"player_id": string,"title": string
                  }
                  Update: {
                    "created_at"?: string,"done_on"?: string | null,"due_on"?: string | null,"grade"?: number,"id"?: string,"player_id"?: string,"title"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "college_tasks_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"commitments": {
                  Row: {
                    "committed_on": string,"created_at": string,"id": string,"player_id": string,"program": string,"status": string
                  }
                  ComputedFields: never
                  Insert: {
                    "committed_on"?: string,"created_at"?: string,"id"?: string,"player_id": string,"program": string,"status"?: string
                  }
                  Update: {
                    "committed_on"?: string,"created_at"?: string,"id"?: string,"player_id"?: string,"program"?: string,"status"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "commitments_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"contact_messages": {
                  Row: {
                    "created_at": string,"email": string,"handled_at": string | null,"handled_by": string | null,"id": string,"message": string,"name": string,"subject": string,"user_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"email": string,"handled_at"?: string | null,"handled_by"?: string | null,"id"?: string,"message": string,"name": string,"subject"?: string,"user_id"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"email"?: string,"handled_at"?: string | null,"handled_by"?: string | null,"id"?: string,"message"?: string,"name"?: string,"subject"?: string,"user_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "contact_messages_handled_by_fkey"
      columns: ["handled_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "contact_messages_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "contact_messages_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "contact_messages_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"follows": {
                  Row: {
                    "created_at": string,"followed_id": string,"follower_id": string,"muted": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"followed_id": string,"follower_id"?: string,"muted"?: boolean
                  }
                  Update: {
                    "created_at"?: string,"followed_id"?: string,"follower_id"?: string,"muted"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "follows_followed_id_fkey"
      columns: ["followed_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "follows_follower_id_fkey"
      columns: ["follower_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"games": {
                  Row: {
                    "balls": number | null,"batter_id": string | null,"batting": number,"courtesy_runner": boolean,"created_at": string,"created_by": string | null,"ended": string | null,"external_id": string | null,"extra_runner": number | null,"home_bats_first": boolean,"home_name": string,"home_runs": number,"home_team_id": string | null,"id": string,"info": NonNullable<Json>,"inning": number,"innings": number,"is_public": boolean,"number": number,"on_first": string | null,"on_second": string | null,"on_third": string | null,"outs": number,"owner_team_id": string | null,"pitcher_id": string | null,"pitches": string,"place": string | null,"place_by": string | null,"played_on": string,"reentry": boolean,"revision": number,"run_rule": string | null,"season_id": string | null,"starts_at": string | null,"status": string,"strikes": number | null,"time_limit": number | null,"updated_at": string,"uses_dh": boolean,"visitor_name": string,"visitor_runs": number,"visitor_team_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "balls"?: number | null,"batter_id"?: string | null,"batting"?: number,"courtesy_runner"?: boolean,"created_at"?: string,"created_by"?: string | null,"ended"?: string | null,"external_id"?: string | null,"extra_runner"?: number | null,"home_bats_first"?: boolean,"home_name": string,"home_runs"?: number,"home_team_id"?: string | null,"id"?: string,"info"?: NonNullable<Json>,"inning"?: number,"innings"?: number,"is_public"?: boolean,"number"?: number,"on_first"?: string | null,"on_second"?: string | null,"on_third"?: string | null,"outs"?: number,"owner_team_id"?: string | null,"pitcher_id"?: string | null,"pitches"?: string,"place"?: string | null,"place_by"?: string | null,"played_on": string,"reentry"?: boolean,"revision"?: number,"run_rule"?: string | null,"season_id"?: string | null,"starts_at"?: string | null,"status"?: string,"strikes"?: number | null,"time_limit"?: number | null,"updated_at"?: string,"uses_dh"?: boolean,"visitor_name": string,"visitor_runs"?: number,"visitor_team_id"?: string | null
                  }
                  Update: {
                    "balls"?: number | null,"batter_id"?: string | null,"batting"?: number,"courtesy_runner"?: boolean,"created_at"?: string,"created_by"?: string | null,"ended"?: string | null,"external_id"?: string | null,"extra_runner"?: number | null,"home_bats_first"?: boolean,"home_name"?: string,"home_runs"?: number,"home_team_id"?: string | null,"id"?: string,"info"?: NonNullable<Json>,"inning"?: number,"innings"?: number,"is_public"?: boolean,"number"?: number,"on_first"?: string | null,"on_second"?: string | null,"on_third"?: string | null,"outs"?: number,"owner_team_id"?: string | null,"pitcher_id"?: string | null,"pitches"?: string,"place"?: string | null,"place_by"?: string | null,"played_on"?: string,"reentry"?: boolean,"revision"?: number,"run_rule"?: string | null,"season_id"?: string | null,"starts_at"?: string | null,"status"?: string,"strikes"?: number | null,"time_limit"?: number | null,"updated_at"?: string,"uses_dh"?: boolean,"visitor_name"?: string,"visitor_runs"?: number,"visitor_team_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "games_batter_id_fkey"
      columns: ["batter_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_created_by_fkey"
      columns: ["created_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_home_team_id_fkey"
      columns: ["home_team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_on_first_fkey"
      columns: ["on_first"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_on_second_fkey"
      columns: ["on_second"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_on_third_fkey"
      columns: ["on_third"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_owner_team_id_fkey"
      columns: ["owner_team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_pitcher_id_fkey"
      columns: ["pitcher_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_place_by_fkey"
      columns: ["place_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_season_id_fkey"
      columns: ["season_id"]
isOneToOne: false
      referencedRelation: "seasons"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "games_visitor_team_id_fkey"
      columns: ["visitor_team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"guardianships": {
                  Row: {
                    "answered_at": string | null,"audience": string,"ended_at": string | null,"guardian_id": string | null,"hides_profile": boolean,"id": string,"invited_at": string,"invited_email": string,"status": string,"ward_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "answered_at"?: string | null,"audience"?: string,"ended_at"?: string | null,"guardian_id"?: string | null,"hides_profile"?: boolean,"id"?: string,"invited_at"?: string,"invited_email": string,"status"?: string,"ward_id": string
                  }
                  Update: {
                    "answered_at"?: string | null,"audience"?: string,"ended_at"?: string | null,"guardian_id"?: string | null,"hides_profile"?: boolean,"id"?: string,"invited_at"?: string,"invited_email"?: string,"status"?: string,"ward_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "guardianships_guardian_id_fkey"
      columns: ["guardian_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "guardianships_guardian_id_fkey"
      columns: ["guardian_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "guardianships_guardian_id_fkey"
      columns: ["guardian_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "guardianships_ward_id_fkey"
      columns: ["ward_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "guardianships_ward_id_fkey"
      columns: ["ward_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "guardianships_ward_id_fkey"
      columns: ["ward_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"leagues": {
                  Row: {
                    "active": boolean,"id": string,"level": string,"name": string,"state": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "active"?: boolean,"id"?: string,"level": string,"name": string,"state"?: string | null
                  }
                  Update: {
                    "active"?: boolean,"id"?: string,"level"?: string,"name"?: string,"state"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"line_scores": {
                  Row: {
                    "errors": number,"game_id": string,"hits": number,"innings": (number)[],"left_on_base": number,"runs": number,"side": number
                  }
                  ComputedFields: never
                  Insert: {
                    "errors": number,"game_id": string,"hits": number,"innings": (number)[],"left_on_base": number,"runs": number,"side": number
                  }
                  Update: {
                    "errors"?: number,"game_id"?: string,"hits"?: number,"innings"?: (number)[],"left_on_base"?: number,"runs"?: number,"side"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "line_scores_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    }
                  ]
                },"lineups": {
                  Row: {
                    "athlete_id": string,"bat_order": number | null,"game_id": string,"jersey": string | null,"position": number | null,"side": number
                  }
                  ComputedFields: never
                  Insert: {
                    "athlete_id": string,"bat_order"?: number | null,"game_id": string,"jersey"?: string | null,"position"?: number | null,"side": number
                  }
                  Update: {
                    "athlete_id"?: string,"bat_order"?: number | null,"game_id"?: string,"jersey"?: string | null,"position"?: number | null,"side"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "lineups_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "lineups_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    }
                  ]
                },"measurement_kinds": {
                  Row: {
                    "active": boolean,"decimals": number,"kind": string,"label": string,"lower_is_better": boolean,"maximum": number,"minimum": number,"position": number,"unit": string
                  }
                  ComputedFields: never
                  Insert: {
                    "active"?: boolean,"decimals": number,"kind": string,"label": string,"lower_is_better"?: boolean,"maximum": number,"minimum": number,"position": number,"unit": string
                  }
                  Update: {
                    "active"?: boolean,"decimals"?: number,"kind"?: string,"label"?: string,"lower_is_better"?: boolean,"maximum"?: number,"minimum"?: number,"position"?: number,"unit"?: string
                  }
                  Relationships: [
                    
                  ]
                },"measurements": {
                  Row: {
                    "created_at": string,"created_by": string | null,"event": string | null,"id": string,"kind": string,"player_id": string,"source": string,"taken_at": string,"unit": string,"value": number,"verification_asked": boolean,"verified_at": string | null,"verified_by": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"created_by"?: string | null,"event"?: string | null,"id"?: string,"kind": string,"player_id": string,"source": string,"taken_at"?: string,"unit"?: string,"value": number,"verification_asked"?: boolean,"verified_at"?: string | null,"verified_by"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"created_by"?: string | null,"event"?: string | null,"id"?: string,"kind"?: string,"player_id"?: string,"source"?: string,"taken_at"?: string,"unit"?: string,"value"?: number,"verification_asked"?: boolean,"verified_at"?: string | null,"verified_by"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "measurements_created_by_fkey"
      columns: ["created_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "measurements_kind_fkey"
      columns: ["kind"]
isOneToOne: false
      referencedRelation: "measurement_kinds"
      referencedColumns: ["kind"]
    },{
      foreignKeyName: "measurements_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "measurements_verified_by_fkey"
      columns: ["verified_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"memberships": {
                  Row: {
                    "since": string,"tier": string,"user_id": string,"wanted_tier": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "since"?: string,"tier"?: string,"user_id": string,"wanted_tier"?: string | null
                  }
                  Update: {
                    "since"?: string,"tier"?: string,"user_id"?: string,"wanted_tier"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "memberships_tier_fkey"
      columns: ["tier"]
isOneToOne: false
      referencedRelation: "pricing_tiers"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "memberships_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "memberships_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "memberships_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "memberships_wanted_tier_fkey"
      columns: ["wanted_tier"]
isOneToOne: false
      referencedRelation: "pricing_tiers"
      referencedColumns: ["id"]
    }
                  ]
                },"notification_preferences": {
                  Row: {
                    "channel": string,"enabled": boolean,"topic": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "channel": string,"enabled": boolean,"topic": string,"user_id"?: string
                  }
                  Update: {
                    "channel"?: string,"enabled"?: boolean,"topic"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "notification_preferences_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"page_views": {
                  Row: {
                    "id": number,"page_path": string,"user_id": string,"viewed_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "id"?: never,"page_path": string,"user_id"?: string,"viewed_at"?: string
                  }
                  Update: {
                    "id"?: never,"page_path"?: string,"user_id"?: string,"viewed_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "page_views_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "page_views_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "page_views_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"pitches": {
                  Row: {
                    "call": string,"game_id": string,"kind": string | null,"number": number,"play_id": string,"velocity_mph": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "call": string,"game_id": string,"kind"?: string | null,"number": number,"play_id": string,"velocity_mph"?: number | null
                  }
                  Update: {
                    "call"?: string,"game_id"?: string,"kind"?: string | null,"number"?: number,"play_id"?: string,"velocity_mph"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "pitches_game_id_play_id_fkey"
      columns: ["game_id","play_id"]
isOneToOne: false
      referencedRelation: "plays"
      referencedColumns: ["game_id","id"]
    }
                  ]
                },"pitching_lines": {
                  Row: {
                    "bb": number,"bb9": number | null,"created_at": string,"er": number,"era": number | null,"g": number,"gs": number,"h": number,"hbp": number,"hr": number,"id": string,"k9": number | null,"l": number,"league_name": string,"outs": number,"player_id": string,"r": number,"season": number,"so": number,"sv": number,"team_name": string,"w": number,"whip": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "bb"?: number,"bb9"?: never,"created_at"?: string,"er"?: number,"era"?: never,"g"?: number,"gs"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"id"?: string,"k9"?: never,"l"?: number,"league_name"?: string,"outs"?: number,"player_id": string,"r"?: number,"season": number,"so"?: number,"sv"?: number,"team_name"?: string,"w"?: number,"whip"?: never
                  }
                  Update: {
                    "bb"?: number,"bb9"?: never,"created_at"?: string,"er"?: number,"era"?: never,"g"?: number,"gs"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"id"?: string,"k9"?: never,"l"?: number,"league_name"?: string,"outs"?: number,"player_id"?: string,"r"?: number,"season"?: number,"so"?: number,"sv"?: number,"team_name"?: string,"w"?: number,"whip"?: never
                  }
                  Relationships: [
                    {
      foreignKeyName: "pitching_lines_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"player_academics": {
                  Row: {
                    "adult_on": string,"gpa": number | null,"school": string | null,"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "adult_on"?: string,"gpa"?: number | null,"school"?: string | null,"updated_at"?: string,"user_id": string
                  }
                  Update: {
                    "adult_on"?: string,"gpa"?: number | null,"school"?: string | null,"updated_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_academics_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"player_game_batting": {
                  Row: {
                    "ab": number,"athlete_id": string,"bat_order": number | null,"bb": number,"cs": number,"doubles": number,"game_id": string,"gidp": number,"h": number,"hbp": number,"hr": number,"ibb": number,"more": NonNullable<Json>,"pa": number,"positions": string,"r": number,"rbi": number,"sb": number,"sf": number,"sh": number,"side": number,"so": number,"triples": number
                  }
                  ComputedFields: never
                  Insert: {
                    "ab"?: number,"athlete_id": string,"bat_order"?: number | null,"bb"?: number,"cs"?: number,"doubles"?: number,"game_id": string,"gidp"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"ibb"?: number,"more"?: NonNullable<Json>,"pa"?: number,"positions"?: string,"r"?: number,"rbi"?: number,"sb"?: number,"sf"?: number,"sh"?: number,"side": number,"so"?: number,"triples"?: number
                  }
                  Update: {
                    "ab"?: number,"athlete_id"?: string,"bat_order"?: number | null,"bb"?: number,"cs"?: number,"doubles"?: number,"game_id"?: string,"gidp"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"ibb"?: number,"more"?: NonNullable<Json>,"pa"?: number,"positions"?: string,"r"?: number,"rbi"?: number,"sb"?: number,"sf"?: number,"sh"?: number,"side"?: number,"so"?: number,"triples"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_game_batting_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_game_batting_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    }
                  ]
                },"player_game_fielding": {
                  Row: {
                    "a": number,"athlete_id": string,"cs": number,"dp": number,"e": number,"game_id": string,"gs": number,"outs": number,"pb": number,"po": number,"position": number,"sb": number,"side": number,"wp": number
                  }
                  ComputedFields: never
                  Insert: {
                    "a"?: number,"athlete_id": string,"cs"?: number,"dp"?: number,"e"?: number,"game_id": string,"gs"?: number,"outs"?: number,"pb"?: number,"po"?: number,"position": number,"sb"?: number,"side": number,"wp"?: number
                  }
                  Update: {
                    "a"?: number,"athlete_id"?: string,"cs"?: number,"dp"?: number,"e"?: number,"game_id"?: string,"gs"?: number,"outs"?: number,"pb"?: number,"po"?: number,"position"?: number,"sb"?: number,"side"?: number,"wp"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_game_fielding_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_game_fielding_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    }
                  ]
                },"player_game_pitching": {
                  Row: {
                    "athlete_id": string,"bb": number,"bfp": number,"bk": number,"bs": number,"cg": number,"er": number,"game_id": string,"gs": number,"h": number,"hbp": number,"hld": number,"hr": number,"ibb": number,"l": number,"more": NonNullable<Json>,"number": number,"outs": number,"pitches": number | null,"r": number,"sho": number,"side": number,"so": number,"strikes": number | null,"sv": number,"w": number,"wp": number
                  }
                  ComputedFields: never
                  Insert: {
                    "athlete_id": string,"bb"?: number,"bfp"?: number,"bk"?: number,"bs"?: number,"cg"?: number,"er"?: number,"game_id": string,"gs"?: number,"h"?: number,"hbp"?: number,"hld"?: number,"hr"?: number,"ibb"?: number,"l"?: number,"more"?: NonNullable<Json>,"number": number,"outs"?: number,"pitches"?: number | null,"r"?: number,"sho"?: number,"side": number,"so"?: number,"strikes"?: number | null,"sv"?: number,"w"?: number,"wp"?: number
                  }
                  Update: {
                    "athlete_id"?: string,"bb"?: number,"bfp"?: number,"bk"?: number,"bs"?: number,"cg"?: number,"er"?: number,"game_id"?: string,"gs"?: number,"h"?: number,"hbp"?: number,"hld"?: number,"hr"?: number,"ibb"?: number,"l"?: number,"more"?: NonNullable<Json>,"number"?: number,"outs"?: number,"pitches"?: number | null,"r"?: number,"sho"?: number,"side"?: number,"so"?: number,"strikes"?: number | null,"sv"?: number,"w"?: number,"wp"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_game_pitching_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_game_pitching_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    }
                  ]
                },"player_numbers": {
                  Row: {
                    "metric": string,"player_id": string,"season": number | null,"source": string,"taken_at": string | null,"tries": number | null,"value": number,"verified": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "metric": string,"player_id": string,"season"?: number | null,"source": string,"taken_at"?: string | null,"tries"?: number | null,"value": number,"verified": boolean
                  }
                  Update: {
                    "metric"?: string,"player_id"?: string,"season"?: number | null,"source"?: string,"taken_at"?: string | null,"tries"?: number | null,"value"?: number,"verified"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_numbers_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"player_ratings": {
                  Row: {
                    "counts": (number)[],"doubts": (number)[],"parts": NonNullable<Json>,"pitcher": boolean,"player_id": string,"ranks": boolean,"run_id": string,"scores": (number)[],"sd": number,"value": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "counts": (number)[],"doubts": (number)[],"parts": NonNullable<Json>,"pitcher": boolean,"player_id": string,"ranks": boolean,"run_id": string,"scores": (number)[],"sd": number,"value"?: number | null
                  }
                  Update: {
                    "counts"?: (number)[],"doubts"?: (number)[],"parts"?: NonNullable<Json>,"pitcher"?: boolean,"player_id"?: string,"ranks"?: boolean,"run_id"?: string,"scores"?: (number)[],"sd"?: number,"value"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_ratings_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "player_ratings_run_id_fkey"
      columns: ["run_id"]
isOneToOne: false
      referencedRelation: "rating_runs"
      referencedColumns: ["id"]
    }
                  ]
                },"player_season_batting": {
                  Row: {
                    "ab": number,"athlete_id": string,"bb": number,"cs": number,"doubles": number,"g": number,"gidp": number,"h": number,"hbp": number,"hr": number,"ibb": number,"pa": number,"r": number,"rbi": number,"sb": number,"season_id": string,"sf": number,"sh": number,"so": number,"stint": number,"team_id": string | null,"triples": number,"unknown": (string)[]
                  }
                  ComputedFields: never
                  Insert: {
                    "ab"?: number,"athlete_id": string,"bb"?: number,"cs"?: number,"doubles"?: number,"g"?: number,"gidp"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"ibb"?: number,"pa"?: number,"r"?: number,"rbi"?: number,"sb"?: number,"season_id": string,"sf"?: number,"sh"?: number,"so"?: number,"stint"?: number,"team_id"?: string | null,"triples"?: number,"unknown"?: (string)[]
                  }
                  Update: {
                    "ab"?: number,"athlete_id"?: string,"bb"?: number,"cs"?: number,"doubles"?: number,"g"?: number,"gidp"?: number,"h"?: number,"hbp"?: number,"hr"?: number,"ibb"?: number,"pa"?: number,"r"?: number,"rbi"?: number,"sb"?: number,"season_id"?: string,"sf"?: number,"sh"?: number,"so"?: number,"stint"?: number,"team_id"?: string | null,"triples"?: number,"unknown"?: (string)[]
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_season_batting_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_season_batting_season_id_fkey"
      columns: ["season_id"]
isOneToOne: false
      referencedRelation: "seasons"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_season_batting_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"player_season_fielding": {
                  Row: {
                    "a": number,"athlete_id": string,"cs": number,"dp": number,"e": number,"g": number,"gs": number,"outs": number,"pb": number,"po": number,"position": number,"sb": number,"season_id": string,"stint": number,"team_id": string | null,"unknown": (string)[],"wp": number
                  }
                  ComputedFields: never
                  Insert: {
                    "a"?: number,"athlete_id": string,"cs"?: number,"dp"?: number,"e"?: number,"g"?: number,"gs"?: number,"outs"?: number,"pb"?: number,"po"?: number,"position": number,"sb"?: number,"season_id": string,"stint"?: number,"team_id"?: string | null,"unknown"?: (string)[],"wp"?: number
                  }
                  Update: {
                    "a"?: number,"athlete_id"?: string,"cs"?: number,"dp"?: number,"e"?: number,"g"?: number,"gs"?: number,"outs"?: number,"pb"?: number,"po"?: number,"position"?: number,"sb"?: number,"season_id"?: string,"stint"?: number,"team_id"?: string | null,"unknown"?: (string)[],"wp"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_season_fielding_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_season_fielding_season_id_fkey"
      columns: ["season_id"]
isOneToOne: false
      referencedRelation: "seasons"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_season_fielding_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"player_season_pitching": {
                  Row: {
                    "athlete_id": string,"bb": number,"bfp": number,"bk": number,"bs": number,"cg": number,"er": number,"g": number,"gs": number,"h": number,"hbp": number,"hld": number,"hr": number,"ibb": number,"l": number,"outs": number,"r": number,"season_id": string,"sho": number,"so": number,"stint": number,"sv": number,"team_id": string | null,"unknown": (string)[],"w": number,"wp": number
                  }
                  ComputedFields: never
                  Insert: {
                    "athlete_id": string,"bb"?: number,"bfp"?: number,"bk"?: number,"bs"?: number,"cg"?: number,"er"?: number,"g"?: number,"gs"?: number,"h"?: number,"hbp"?: number,"hld"?: number,"hr"?: number,"ibb"?: number,"l"?: number,"outs"?: number,"r"?: number,"season_id": string,"sho"?: number,"so"?: number,"stint"?: number,"sv"?: number,"team_id"?: string | null,"unknown"?: (string)[],"w"?: number,"wp"?: number
                  }
                  Update: {
                    "athlete_id"?: string,"bb"?: number,"bfp"?: number,"bk"?: number,"bs"?: number,"cg"?: number,"er"?: number,"g"?: number,"gs"?: number,"h"?: number,"hbp"?: number,"hld"?: number,"hr"?: number,"ibb"?: number,"l"?: number,"outs"?: number,"r"?: number,"season_id"?: string,"sho"?: number,"so"?: number,"stint"?: number,"sv"?: number,"team_id"?: string | null,"unknown"?: (string)[],"w"?: number,"wp"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "player_season_pitching_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_season_pitching_season_id_fkey"
      columns: ["season_id"]
isOneToOne: false
      referencedRelation: "seasons"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "player_season_pitching_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"players": {
                  Row: {
                    "accept_coach_stats": boolean,"bats": string | null,"bio": string | null,"grad_year": number | null,"height_in": number | null,"hometown": string | null,"jersey": string | null,"position_group": string | null,"positions": (string)[],"state": string | null,"throws": string | null,"updated_at": string,"user_id": string,"weight_lb": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "accept_coach_stats"?: boolean,"bats"?: string | null,"bio"?: string | null,"grad_year"?: number | null,"height_in"?: number | null,"hometown"?: string | null,"jersey"?: string | null,"position_group"?: never,"positions"?: (string)[],"state"?: string | null,"throws"?: string | null,"updated_at"?: string,"user_id": string,"weight_lb"?: number | null
                  }
                  Update: {
                    "accept_coach_stats"?: boolean,"bats"?: string | null,"bio"?: string | null,"grad_year"?: number | null,"height_in"?: number | null,"hometown"?: string | null,"jersey"?: string | null,"position_group"?: never,"positions"?: (string)[],"state"?: string | null,"throws"?: string | null,"updated_at"?: string,"user_id"?: string,"weight_lb"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "players_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"plays": {
                  Row: {
                    "after": string | null,"created_at": string,"created_by": string | null,"game_id": string,"id": string,"ord": number | null,"outcome": Json | null,"record": string | null,"replaces": string | null,"seq": number
                  }
                  ComputedFields: never
                  Insert: {
                    "after"?: string | null,"created_at"?: string,"created_by"?: string | null,"game_id": string,"id": string,"ord"?: number | null,"outcome"?: Json | null,"record"?: string | null,"replaces"?: string | null,"seq": number
                  }
                  Update: {
                    "after"?: string | null,"created_at"?: string,"created_by"?: string | null,"game_id"?: string,"id"?: string,"ord"?: number | null,"outcome"?: Json | null,"record"?: string | null,"replaces"?: string | null,"seq"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "plays_after_fkey"
      columns: ["game_id","after"]
isOneToOne: false
      referencedRelation: "plays"
      referencedColumns: ["game_id","id"]
    },{
      foreignKeyName: "plays_created_by_fkey"
      columns: ["created_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "plays_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "plays_replaces_fkey"
      columns: ["game_id","replaces"]
isOneToOne: false
      referencedRelation: "plays"
      referencedColumns: ["game_id","id"]
    }
                  ]
                },"post_comments": {
                  Row: {
                    "author_id": string,"body": string,"by_coach": boolean,"child_until": string,"created_at": string,"id": string,"minor_until": string,"post_id": string,"removal_reason": string | null,"reviewed_at": string | null,"state": string
                  }
                  ComputedFields: never
                  Insert: {
                    "author_id"?: string,"body": string,"by_coach"?: boolean,"child_until"?: string,"created_at"?: string,"id"?: string,"minor_until"?: string,"post_id": string,"removal_reason"?: string | null,"reviewed_at"?: string | null,"state"?: string
                  }
                  Update: {
                    "author_id"?: string,"body"?: string,"by_coach"?: boolean,"child_until"?: string,"created_at"?: string,"id"?: string,"minor_until"?: string,"post_id"?: string,"removal_reason"?: string | null,"reviewed_at"?: string | null,"state"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "post_comments_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "post_comments_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    }
                  ]
                },"post_likes": {
                  Row: {
                    "created_at": string,"post_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"post_id": string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"post_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "post_likes_post_id_fkey"
      columns: ["post_id"]
isOneToOne: false
      referencedRelation: "posts"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "post_likes_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"posts": {
                  Row: {
                    "amount": number | null,"author_id": string | null,"body": string,"by_coach": boolean,"child_until": string,"commitment_id": string | null,"created_at": string,"game_id": string | null,"id": string,"kind": string,"media": string | null,"media_alt": string,"media_height": number | null,"media_width": number | null,"milestone": string | null,"minor_until": string,"removal_reason": string | null,"reviewed_at": string | null,"state": string,"team_id": string | null,"visibility": string
                  }
                  ComputedFields: never
                  Insert: {
                    "amount"?: number | null,"author_id"?: string | null,"body"?: string,"by_coach"?: boolean,"child_until"?: string,"commitment_id"?: string | null,"created_at"?: string,"game_id"?: string | null,"id"?: string,"kind"?: string,"media"?: string | null,"media_alt"?: string,"media_height"?: number | null,"media_width"?: number | null,"milestone"?: string | null,"minor_until"?: string,"removal_reason"?: string | null,"reviewed_at"?: string | null,"state"?: string,"team_id"?: string | null,"visibility": string
                  }
                  Update: {
                    "amount"?: number | null,"author_id"?: string | null,"body"?: string,"by_coach"?: boolean,"child_until"?: string,"commitment_id"?: string | null,"created_at"?: string,"game_id"?: string | null,"id"?: string,"kind"?: string,"media"?: string | null,"media_alt"?: string,"media_height"?: number | null,"media_width"?: number | null,"milestone"?: string | null,"minor_until"?: string,"removal_reason"?: string | null,"reviewed_at"?: string | null,"state"?: string,"team_id"?: string | null,"visibility"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "posts_author_id_fkey"
      columns: ["author_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "posts_commitment_id_fkey"
      columns: ["commitment_id"]
isOneToOne: false
      referencedRelation: "commitments"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "posts_game_id_fkey"
      columns: ["game_id"]
isOneToOne: false
      referencedRelation: "games"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "posts_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"pricing_tiers": {
                  Row: {
                    "active": boolean,"coming_soon": (string)[],"features": (string)[],"id": string,"name": string,"position": number,"price_monthly": number,"tagline": string
                  }
                  ComputedFields: never
                  Insert: {
                    "active"?: boolean,"coming_soon"?: (string)[],"features": (string)[],"id": string,"name": string,"position": number,"price_monthly": number,"tagline": string
                  }
                  Update: {
                    "active"?: boolean,"coming_soon"?: (string)[],"features"?: (string)[],"id"?: string,"name"?: string,"position"?: number,"price_monthly"?: number,"tagline"?: string
                  }
                  Relationships: [
                    
                  ]
                },"profiles": {
                  Row: {
                    "created_at": string,"full_name": string,"id": string,"photo": string | null,"public_profile": boolean,"role": string,"shown_from": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at": string,"full_name": string,"id": string,"photo"?: string | null,"public_profile": boolean,"role": string,"shown_from"?: string
                  }
                  Update: {
                    "created_at"?: string,"full_name"?: string,"id"?: string,"photo"?: string | null,"public_profile"?: boolean,"role"?: string,"shown_from"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "profiles_id_fkey"
      columns: ["id"]
isOneToOne: true
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "profiles_id_fkey"
      columns: ["id"]
isOneToOne: true
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "profiles_id_fkey"
      columns: ["id"]
isOneToOne: true
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"program_levels": {
                  Row: {
                    "first_rank": number,"last_rank": number | null,"n": number,"per_team": number,"quantiles": (number)[],"role": string,"stat": string
                  }
                  ComputedFields: never
                  Insert: {
                    "first_rank": number,"last_rank"?: number | null,"n": number,"per_team": number,"quantiles": (number)[],"role": string,"stat": string
                  }
                  Update: {
                    "first_rank"?: number,"last_rank"?: number | null,"n"?: number,"per_team"?: number,"quantiles"?: (number)[],"role"?: string,"stat"?: string
                  }
                  Relationships: [
                    
                  ]
                },"programs": {
                  Row: {
                    "budget_percentile": number | null,"conference": string,"division": number,"id": string,"institution": string | null,"name": string,"roster_size": number | null,"rpi_rank": number | null,"state": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "budget_percentile"?: number | null,"conference"?: string,"division": number,"id": string,"institution"?: string | null,"name": string,"roster_size"?: number | null,"rpi_rank"?: number | null,"state"?: string | null
                  }
                  Update: {
                    "budget_percentile"?: number | null,"conference"?: string,"division"?: number,"id"?: string,"institution"?: string | null,"name"?: string,"roster_size"?: number | null,"rpi_rank"?: number | null,"state"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"rating_runs": {
                  Row: {
                    "created_at": string,"created_by": string | null,"data_hash": string,"id": string,"kind": string,"method": string,"params": NonNullable<Json>,"season": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"created_by"?: string | null,"data_hash": string,"id"?: string,"kind": string,"method": string,"params": NonNullable<Json>,"season"?: number | null
                  }
                  Update: {
                    "created_at"?: string,"created_by"?: string | null,"data_hash"?: string,"id"?: string,"kind"?: string,"method"?: string,"params"?: NonNullable<Json>,"season"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "rating_runs_created_by_fkey"
      columns: ["created_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"recruiting_periods": {
                  Row: {
                    "checked_on": string,"created_at": string,"division": number,"ends_on": string,"id": string,"kind": string,"source": string,"starts_on": string
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_on": string,"created_at"?: string,"division": number,"ends_on": string,"id"?: string,"kind": string,"source": string,"starts_on": string
                  }
                  Update: {
                    "checked_on"?: string,"created_at"?: string,"division"?: number,"ends_on"?: string,"id"?: string,"kind"?: string,"source"?: string,"starts_on"?: string
                  }
                  Relationships: [
                    
                  ]
                },"referral_analytics": {
                  Row: {
                    "action": string,"converted_user_id": string | null,"id": number,"ip_address": string | null,"referral_code": string,"timestamp": string,"user_agent": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "action": string,"converted_user_id"?: string | null,"id"?: never,"ip_address"?: string | null,"referral_code": string,"timestamp"?: string,"user_agent"?: string | null
                  }
                  Update: {
                    "action"?: string,"converted_user_id"?: string | null,"id"?: never,"ip_address"?: string | null,"referral_code"?: string,"timestamp"?: string,"user_agent"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "referral_analytics_converted_user_id_fkey"
      columns: ["converted_user_id"]
isOneToOne: true
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "referral_analytics_converted_user_id_fkey"
      columns: ["converted_user_id"]
isOneToOne: true
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "referral_analytics_converted_user_id_fkey"
      columns: ["converted_user_id"]
isOneToOne: true
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"referral_codes": {
                  Row: {
                    "clicks": number,"code": string,"conversions": number,"created_at": string,"owner_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "clicks"?: number,"code": string,"conversions"?: number,"created_at"?: string,"owner_id"?: string | null
                  }
                  Update: {
                    "clicks"?: number,"code"?: string,"conversions"?: number,"created_at"?: string,"owner_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "referral_codes_owner_id_fkey"
      columns: ["owner_id"]
isOneToOne: true
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "referral_codes_owner_id_fkey"
      columns: ["owner_id"]
isOneToOne: true
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "referral_codes_owner_id_fkey"
      columns: ["owner_id"]
isOneToOne: true
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"reports": {
                  Row: {
                    "created_at": string,"details": string,"handled_at": string | null,"handled_by": string | null,"id": string,"reason": string,"reporter_id": string | null,"resolution": string | null,"status": string,"subject_id": string | null,"subject_kind": string,"subject_user_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"details"?: string,"handled_at"?: string | null,"handled_by"?: string | null,"id"?: string,"reason": string,"reporter_id"?: string | null,"resolution"?: string | null,"status"?: string,"subject_id"?: string | null,"subject_kind": string,"subject_user_id"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"details"?: string,"handled_at"?: string | null,"handled_by"?: string | null,"id"?: string,"reason"?: string,"reporter_id"?: string | null,"resolution"?: string | null,"status"?: string,"subject_id"?: string | null,"subject_kind"?: string,"subject_user_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "reports_handled_by_fkey"
      columns: ["handled_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "reports_reporter_id_fkey"
      columns: ["reporter_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "reports_subject_user_id_fkey"
      columns: ["subject_user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"rosters": {
                  Row: {
                    "athlete_id": string,"id": string,"jersey": string | null,"joined_on": string,"left_on": string | null,"team_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "athlete_id": string,"id"?: string,"jersey"?: string | null,"joined_on"?: string,"left_on"?: string | null,"team_id": string
                  }
                  Update: {
                    "athlete_id"?: string,"id"?: string,"jersey"?: string | null,"joined_on"?: string,"left_on"?: string | null,"team_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "rosters_athlete_id_fkey"
      columns: ["athlete_id"]
isOneToOne: false
      referencedRelation: "athletes"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "rosters_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"saved_searches": {
                  Row: {
                    "checked_at": string | null,"created_at": string,"filters": NonNullable<Json>,"id": string,"name": string,"notify": boolean,"owner_id": string,"query": string,"remembered": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_at"?: string | null,"created_at"?: string,"filters"?: NonNullable<Json>,"id"?: string,"name": string,"notify"?: boolean,"owner_id"?: string,"query"?: string,"remembered"?: boolean
                  }
                  Update: {
                    "checked_at"?: string | null,"created_at"?: string,"filters"?: NonNullable<Json>,"id"?: string,"name"?: string,"notify"?: boolean,"owner_id"?: string,"query"?: string,"remembered"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "saved_searches_owner_id_fkey"
      columns: ["owner_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"scout_notes": {
                  Row: {
                    "body": string,"created_at": string,"grades": NonNullable<Json>,"id": string,"player_id": string,"scout_id": string,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "body"?: string,"created_at"?: string,"grades"?: NonNullable<Json>,"id"?: string,"player_id": string,"scout_id"?: string,"updated_at"?: string
                  }
                  Update: {
                    "body"?: string,"created_at"?: string,"grades"?: NonNullable<Json>,"id"?: string,"player_id"?: string,"scout_id"?: string,"updated_at"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "scout_notes_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "scout_notes_scout_id_fkey"
      columns: ["scout_id"]
isOneToOne: false
      referencedRelation: "scouts"
      referencedColumns: ["user_id"]
    }
                  ]
                },"scouts": {
                  Row: {
                    "bio": string | null,"org": string,"regions": (string)[],"updated_at": string,"user_id": string,"verified_at": string | null,"verified_by": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "bio"?: string | null,"org"?: string,"regions"?: (string)[],"updated_at"?: string,"user_id": string,"verified_at"?: string | null,"verified_by"?: string | null
                  }
                  Update: {
                    "bio"?: string | null,"org"?: string,"regions"?: (string)[],"updated_at"?: string,"user_id"?: string,"verified_at"?: string | null,"verified_by"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "scouts_user_id_fkey"
      columns: ["user_id"]
isOneToOne: true
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "scouts_verified_by_fkey"
      columns: ["verified_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"seasons": {
                  Row: {
                    "created_at": string,"id": string,"league_id": string | null,"name": string,"team_id": string | null,"year": number
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"league_id"?: string | null,"name"?: string,"team_id"?: string | null,"year": number
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"league_id"?: string | null,"name"?: string,"team_id"?: string | null,"year"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "seasons_league_id_fkey"
      columns: ["league_id"]
isOneToOne: false
      referencedRelation: "leagues"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "seasons_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"suspensions": {
                  Row: {
                    "id": string,"inherited": boolean,"lifted_at": string | null,"lifted_by": string | null,"outlasts_proof": boolean,"reason": string,"suspended_at": string,"suspended_by": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "id"?: string,"inherited"?: boolean,"lifted_at"?: string | null,"lifted_by"?: string | null,"outlasts_proof"?: boolean,"reason": string,"suspended_at"?: string,"suspended_by"?: string | null,"user_id": string
                  }
                  Update: {
                    "id"?: string,"inherited"?: boolean,"lifted_at"?: string | null,"lifted_by"?: string | null,"outlasts_proof"?: boolean,"reason"?: string,"suspended_at"?: string,"suspended_by"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "suspensions_lifted_by_fkey"
      columns: ["lifted_by"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "suspensions_lifted_by_fkey"
      columns: ["lifted_by"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "suspensions_lifted_by_fkey"
      columns: ["lifted_by"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "suspensions_suspended_by_fkey"
      columns: ["suspended_by"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "suspensions_suspended_by_fkey"
      columns: ["suspended_by"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "suspensions_suspended_by_fkey"
      columns: ["suspended_by"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "suspensions_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "suspensions_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "suspensions_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"team_members": {
                  Row: {
                    "approved_at": string | null,"created_at": string,"jersey": string | null,"role": string,"status": string,"team_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "approved_at"?: string | null,"created_at"?: string,"jersey"?: string | null,"role": string,"status": string,"team_id": string,"user_id": string
                  }
                  Update: {
                    "approved_at"?: string | null,"created_at"?: string,"jersey"?: string | null,"role"?: string,"status"?: string,"team_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "team_members_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "team_members_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"team_ratings": {
                  Row: {
                    "elo": number,"losses": number,"pool": number,"rpi": number | null,"run_id": string,"sd": number,"team_id": string,"ties": number,"value": number,"why": NonNullable<Json>,"wins": number
                  }
                  ComputedFields: never
                  Insert: {
                    "elo": number,"losses": number,"pool": number,"rpi"?: number | null,"run_id": string,"sd": number,"team_id": string,"ties": number,"value": number,"why": NonNullable<Json>,"wins": number
                  }
                  Update: {
                    "elo"?: number,"losses"?: number,"pool"?: number,"rpi"?: number | null,"run_id"?: string,"sd"?: number,"team_id"?: string,"ties"?: number,"value"?: number,"why"?: NonNullable<Json>,"wins"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "team_ratings_run_id_fkey"
      columns: ["run_id"]
isOneToOne: false
      referencedRelation: "rating_runs"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "team_ratings_team_id_fkey"
      columns: ["team_id"]
isOneToOne: false
      referencedRelation: "teams"
      referencedColumns: ["id"]
    }
                  ]
                },"teams": {
                  Row: {
                    "active": boolean,"city": string | null,"created_at": string,"created_by": string | null,"id": string,"league_id": string | null,"logo": string | null,"name": string,"named_by": string | null,"state": string | null,"vetted": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "active"?: boolean,"city"?: string | null,"created_at"?: string,"created_by"?: string | null,"id"?: string,"league_id"?: string | null,"logo"?: string | null,"name": string,"named_by"?: string | null,"state"?: string | null,"vetted"?: boolean
                  }
                  Update: {
                    "active"?: boolean,"city"?: string | null,"created_at"?: string,"created_by"?: string | null,"id"?: string,"league_id"?: string | null,"logo"?: string | null,"name"?: string,"named_by"?: string | null,"state"?: string | null,"vetted"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "teams_created_by_fkey"
      columns: ["created_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "teams_league_id_fkey"
      columns: ["league_id"]
isOneToOne: false
      referencedRelation: "leagues"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "teams_named_by_fkey"
      columns: ["named_by"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                },"token_ledger": {
                  Row: {
                    "amount": number,"created_at": string,"id": number,"reason": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "amount": number,"created_at"?: string,"id"?: never,"reason": string,"user_id": string
                  }
                  Update: {
                    "amount"?: number,"created_at"?: string,"id"?: never,"reason"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "token_ledger_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "token_ledger_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "token_ledger_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"user_sessions": {
                  Row: {
                    "device_type": string,"id": string,"last_activity": string,"session_duration": number,"session_start": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "device_type": string,"id"?: string,"last_activity"?: string,"session_duration"?: number,"session_start"?: string,"user_id"?: string
                  }
                  Update: {
                    "device_type"?: string,"id"?: string,"last_activity"?: string,"session_duration"?: number,"session_start"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "user_sessions_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_audit_log"
      referencedColumns: ["subject_user_id"]
    },{
      foreignKeyName: "user_sessions_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "admin_users"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "user_sessions_user_id_fkey"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "users"
      referencedColumns: ["id"]
    }
                  ]
                },"users": {
                  Row: {
                    "bonus_tokens_awarded": boolean,"created_at": string,"email": string | null,"full_name": string,"id": string,"is_admin": boolean,"public_profile": boolean,"referral_tokens": number,"role": string,"user_type": string
                  }
                  ComputedFields: never
                  Insert: {
                    "bonus_tokens_awarded"?: boolean,"created_at"?: string,"email"?: string | null,"full_name"?: string,"id": string,"is_admin"?: boolean,"public_profile"?: boolean,"referral_tokens"?: number,"role"?: string,"user_type"?: string
                  }
                  Update: {
                    "bonus_tokens_awarded"?: boolean,"created_at"?: string,"email"?: string | null,"full_name"?: string,"id"?: string,"is_admin"?: boolean,"public_profile"?: boolean,"referral_tokens"?: number,"role"?: string,"user_type"?: string
                  }
                  Relationships: [
                    
                  ]
                },"videos": {
                  Row: {
                    "created_at": string,"id": string,"path": string | null,"player_id": string,"recorded_on": string | null,"title": string,"url": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"path"?: string | null,"player_id": string,"recorded_on"?: string | null,"title": string,"url"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"path"?: string | null,"player_id"?: string,"recorded_on"?: string | null,"title"?: string,"url"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "videos_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "players"
      referencedColumns: ["user_id"]
    }
                  ]
                },"watchlist_players": {
                  Row: {
                    "added_at": string,"note": string | null,"player_id": string,"watchlist_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "added_at"?: string,"note"?: string | null,"player_id": string,"watchlist_id": string
                  }
                  Update: {
                    "added_at"?: string,"note"?: string | null,"player_id"?: string,"watchlist_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "watchlist_players_player_id_fkey"
      columns: ["player_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "watchlist_players_watchlist_id_fkey"
      columns: ["watchlist_id"]
isOneToOne: false
      referencedRelation: "watchlists"
      referencedColumns: ["id"]
    }
                  ]
                },"watchlists": {
                  Row: {
                    "created_at": string,"id": string,"name": string,"owner_id": string,"previous_visit_at": string | null,"visited_at": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"name": string,"owner_id"?: string,"previous_visit_at"?: string | null,"visited_at"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"name"?: string,"owner_id"?: string,"previous_visit_at"?: string | null,"visited_at"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "watchlists_owner_id_fkey"
      columns: ["owner_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Views: {
            "admin_audit_log": {
                  Row: {
                    "action": string,"actor_id": string | null,"actor_name": string | null,"created_at": string,"detail": NonNullable<Json>,"id": number,"reason": string | null,"subject_id": string | null,"subject_name": string | null,"subject_user_id": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    
                  ]
                },"admin_reports": {
                  Row: {
                    "created_at": string | null,"id": string | null,"latest": Json | null,"reasons": (string)[] | null,"report_ids": (string)[] | null,"reporter_ids": (string)[] | null,"reports": number | null,"said": string | null,"status": string,"subject_id": string | null,"subject_kind": string,"subject_name": string | null,"subject_user_id": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    
                  ]
                },"admin_users": {
                  Row: {
                    "created_at": string,"email": string | null,"full_name": string,"id": string,"profile": string,"referral_tokens": number,"role": string | null,"suspended_at": string | null,"suspension_reason": string | null,"tier": string | null,"verified_at": string | null,"wanted_tier": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    {
      foreignKeyName: "memberships_tier_fkey"
      columns: ["tier"]
isOneToOne: false
      referencedRelation: "pricing_tiers"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "memberships_wanted_tier_fkey"
      columns: ["wanted_tier"]
isOneToOne: false
      referencedRelation: "pricing_tiers"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Functions: {
            "accept_member":
{ Args: { "team_id": string,"user_id": string }; Returns: undefined
                           },
"add_commitment":
{ Args: { "audience": string,"committed_on": string,"player": string,"program": string,"status": string,"team"?: string }; Returns: string
                           },
"admin_activity":
{ Args: { "days"?: number }; Returns: {
              "active_users": number,"day": string,"new_users": number,"page_views": number,"sessions": number
            }[]
                           },
"admin_adjust_tokens":
{ Args: { "amount": number,"reason": string,"user_id": string }; Returns: undefined
                           },
"admin_clear_birth_date":
{ Args: { "reason": string,"user_id": string }; Returns: undefined
                           },
"admin_devices":
{ Args: { "days"?: number }; Returns: {
              "average_seconds": number,"device_type": string,"sessions": number,"users": number
            }[]
                           },
"admin_forget_minor_address":
{ Args: { "email": string,"reason": string }; Returns: undefined
                           },
"admin_handle_contact":
{ Args: { "handled"?: boolean,"message_id": string }; Returns: undefined
                           },
"admin_handle_report":
{ Args: { "report_id": string,"resolution": string,"status": string }; Returns: undefined
                           },
"admin_handle_reports":
{ Args: { "report_ids": (string)[],"resolution": string,"status": string }; Returns: undefined
                           },
"admin_moderate":
{ Args: { "id": string,"kind": string,"reason": string,"removed": boolean }; Returns: undefined
                           },
"admin_referral_codes":
{ Args: Record<PropertyKey, never>; Returns: {
              "clicks": number,"code": string,"conversions": number,"owner_id": string,"owner_name": string
            }[]
                           },
"admin_referral_funnel":
{ Args: { "days"?: number }; Returns: {
              "clicks": number,"conversions": number,"day": string,"signups": number
            }[]
                           },
"admin_set_membership":
{ Args: { "reason": string,"tier": string,"user_id": string }; Returns: undefined
                           },
"admin_set_role":
{ Args: { "reason": string,"role": string,"user_id": string }; Returns: undefined
                           },
"admin_suspend_user":
{ Args: { "reason": string,"user_id": string }; Returns: undefined
                           },
"admin_top_pages":
{ Args: { "days"?: number }; Returns: {
              "page_path": string,"users": number,"views": number
            }[]
                           },
"admin_totals":
{ Args: Record<PropertyKey, never>; Returns: {
              "coaches": number,"dau": number,"fans": number,"mau": number,"open_messages": number,"open_reports": number,"players": number,"scouts": number,"suspended": number,"users": number,"wau": number
            }[]
                           },
"admin_unsuspend_user":
{ Args: { "reason": string,"user_id": string }; Returns: undefined
                           },
"admin_verify_coach":
{ Args: { "user_id": string,"verified": boolean }; Returns: undefined
                           },
"admin_verify_scout":
{ Args: { "user_id": string,"verified": boolean }; Returns: undefined
                           },
"admin_weekly_activity":
{ Args: { "weeks"?: number }; Returns: {
              "active_users": number,"returning_users": number,"week": string
            }[]
                           },
"announce_commitment":
{ Args: { "audience": string,"commitment": string,"team"?: string }; Returns: string
                           },
"answer_invitation":
{ Args: { "accept": boolean,"id": string }; Returns: undefined
                           },
"ask_to_join":
{ Args: { "team_id": string }; Returns: undefined
                           },
"batted_balls_of":
{ Args: { "player": string }; Returns: {
              "id": string,"outcome": Json,"record": string
            }[]
                           },
"compare_players":
{ Args: { "player_ids": (string)[] }; Returns: {
              "class": number,"decimals": number,"label": string,"lower_is_better": boolean,"metric": string,"n": number,"percentile": number,"player_id": string,"position": string,"same_age": boolean,"season": number,"source": string,"taken_at": string,"tries": number,"unit": string,"value": number,"verified": boolean
            }[]
                           },
"correct_article":
{ Args: { "article_id": string,"body": string,"note": string,"summary": string,"title": string }; Returns: undefined
                           },
"correct_birth_date":
{ Args: { "birth_date": string,"ward_id": string }; Returns: undefined
                           },
"create_game":
{ Args: { "courtesy_runner"?: boolean,"extra_runner"?: number,"innings"?: number,"is_home": boolean,"is_public"?: boolean,"opponent": string,"place"?: string,"played_on": string,"reentry"?: boolean,"run_rule"?: string,"starts_at"?: string,"team_id": string,"time_limit"?: number,"uses_dh"?: boolean }; Returns: string
                           },
"create_team":
{ Args: { "city"?: string,"league_id"?: string,"name": string,"state"?: string }; Returns: string
                           },
"delete_account":
{ Args: { "ward_id"?: string }; Returns: undefined
                           },
"export_my_data":
{ Args: { "ward_id"?: string }; Returns: Json
                           },
"first_tasks":
{ Args: Record<PropertyKey, never>; Returns: {
              "done": boolean,"task": string
            }[]
                           },
"followed_now":
{ Args: { "after_id"?: string,"after_name"?: string,"after_place"?: number,"sort"?: string }; Returns: {
              "full_name": string,"grad_year": number,"id": string,"last_game": Json,"muted": boolean,"next_game": Json,"photo": string,"place": number,"positions": (string)[],"role": string,"since": string,"state": string,"week": Json
            }[]
                           },
"game_arms":
{ Args: { "game": string }; Returns: {
              "athlete_id": string,"day_limit": number,"oldest": number,"ready_on": string,"rested_pitches": number,"thrown_today": number,"uncounted": boolean,"youngest": number
            }[]
                           },
"home":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"home_games":
{ Args: Record<PropertyKey, never>; Returns: {
              "bases": (boolean)[],"batting": number,"followed": (string)[],"home_bats_first": boolean,"home_name": string,"home_runs": number,"id": string,"inning": number,"innings": number,"outs": number,"own": boolean,"place": string,"played_on": string,"starts_at": string,"status": string,"visitor_name": string,"visitor_runs": number
            }[]
                           },
"increment_referral_clicks":
{ Args: { "code": string }; Returns: undefined
                           },
"increment_referral_conversions":
{ Args: { "code": string }; Returns: undefined
                           },
"invite_guardian":
{ Args: { "email": string }; Returns: string
                           },
"invite_to_team":
{ Args: { "jersey"?: string,"team_id": string,"user_id": string }; Returns: undefined
                           },
"is_sign_in_recent":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"kept_players":
{ Args: Record<PropertyKey, never>; Returns: {
              "full_name": string,"grad_year": number,"player_id": string,"position_group": string,"state": string
            }[]
                           },
"leaderboard":
{ Args: { "after"?: Json,"evidence"?: string,"filters"?: Json,"metric": string,"minimum"?: number,"places"?: number,"season"?: number }; Returns: Json
                           },
"leave_team":
{ Args: { "team_id": string,"user_id"?: string }; Returns: undefined
                           },
"may_keep_files":
{ Args: { "person": string }; Returns: boolean
                           },
"my_invitations":
{ Args: Record<PropertyKey, never>; Returns: {
              "id": string,"invited_at": string,"ward_id": string,"ward_name": string
            }[]
                           },
"my_sessions":
{ Args: Record<PropertyKey, never>; Returns: {
              "aal": string,"created_at": string,"id": string,"ip": string,"is_current": boolean,"last_used_at": string,"user_agent": string
            }[]
                           },
"my_wards":
{ Args: Record<PropertyKey, never>; Returns: {
              "audience": string,"birth_date": string,"first": boolean,"full_name": string,"guardians": number,"guardianship_id": string,"hides_profile": boolean,"public_profile": boolean,"requests": number,"shown": boolean,"suspended": boolean,"until": string,"ward_id": string
            }[]
                           },
"news_rss":
{ Args: Record<PropertyKey, never>; Returns: unknown
                           },
"newsroom_rights":
{ Args: Record<PropertyKey, never>; Returns: {
              "site": boolean,"teams": Json
            }[]
                           },
"number_changes":
{ Args: { "listed"?: boolean,"since": string }; Returns: {
              "decimals": number,"full_name": string,"grad_year": number,"id": string,"kind": string,"label": string,"lower_is_better": boolean,"now": number,"player_id": string,"positions": (string)[],"source": string,"taken_at": string,"unit": string,"verified": boolean,"was": number
            }[]
                           },
"override_pitch_limit":
{ Args: { "athlete": string,"game": string,"id": string,"reason": string,"rule": string }; Returns: undefined
                           },
"page_meta":
{ Args: { "path": string }; Returns: Json
                           },
"player_percentiles":
{ Args: { "player_id": string }; Returns: {
              "class": number,"label": string,"metric": string,"n": number,"percentile": number,"position": string,"same_age": boolean,"season": number,"source": string,"taken_at": string,"tries": number,"unit": string,"value": number,"verified": boolean
            }[]
                           },
"posting_rights":
{ Args: Record<PropertyKey, never>; Returns: {
              "age_known": boolean,"files": boolean,"is_public": boolean,"teams": Json,"under_13": boolean
            }[]
                           },
"profile_visibility":
{ Args: Record<PropertyKey, never>; Returns: string
                           },
"rankings":
{ Args: { "after"?: Json,"filters"?: Json,"kind": string,"places"?: number,"season"?: number,"weights"?: Json }; Returns: Json
                           },
"referral_funnel":
{ Args: { "days"?: number }; Returns: {
              "clicks": number,"day": string,"signups": number
            }[]
                           },
"revoke_guardianship":
{ Args: { "id": string }; Returns: undefined
                           },
"scorebook_of":
{ Args: { "player": string }; Returns: Json
                           },
"search_players":
{ Args: { "after"?: Json,"filters"?: Json,"query"?: string }; Returns: Json
                           },
"search_suggest":
{ Args: { "kinds"?: (string)[],"most"?: number,"query": string }; Returns: {
              "detail": string,"id": string,"kind": string,"name": string
            }[]
                           },
"send_contact_message":
{ Args: { "email": string,"message": string,"name": string,"subject": string }; Returns: undefined
                           },
"set_ward_audience":
{ Args: { "audience": string,"ward_id": string }; Returns: undefined
                           },
"set_ward_visibility":
{ Args: { "visible": boolean,"ward_id": string }; Returns: undefined
                           },
"sign_out_session":
{ Args: { "session_id": string }; Returns: undefined
                           },
"timeline":
{ Args: { "before_at"?: string,"before_id"?: string,"only_id"?: string,"scope"?: string }; Returns: {
              "amount": number,"author_id": string,"author_name": string,"author_photo": string,"author_role": string,"body": string,"comment_refusal": string,"comments": number,"created_at": string,"game": Json,"id": string,"kind": string,"liked": boolean,"likes": number,"media": string,"media_alt": string,"media_height": number,"media_width": number,"milestone": string,"removal_reason": string,"state": string,"team_id": string,"team_name": string,"visibility": string
            }[]
                           },
"verify_measurement":
{ Args: { "measurement_id": string,"verified"?: boolean }; Returns: undefined
                           },
"visit_lists":
{ Args: Record<PropertyKey, never>; Returns: {
              "decimals": number,"full_name": string,"id": string,"label": string,"lower_is_better": boolean,"now": number,"player_id": string,"since": string,"taken_at": string,"unit": string,"verified": boolean,"was": number,"watchlist_id": string
            }[]
                           },
"vouch_for_coach":
{ Args: { "user_id": string,"vouched"?: boolean }; Returns: undefined
                           }
          }
          Enums: {
            [_ in never]: never
          }
          CompositeTypes: {
            [_ in never]: never
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "public": {
          Enums: {
            
          }
        }
} as const
