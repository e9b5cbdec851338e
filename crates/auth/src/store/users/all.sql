-- All users. A condition follows.
from auth.users u
where u.instance_id = '00000000-0000-0000-0000-000000000000'
