-- The settings of these names as they are now, which db-pre-config may have made.
select name, current_setting('pgrst.' || name, true) as value
from unnest($1::text[]) as name
where current_setting('pgrst.' || name, true) is not null
