select count(*) from auth.custom_oauth_providers
