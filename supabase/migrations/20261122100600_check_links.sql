-- A link that no browser can parse crashed the page that showed it. Host names now consist of letters, digits and
-- hyphens with a top-level domain, and ports are below 65536. The constraint is not validated, because existing rows
-- stay; the page shows their title without a link.
alter table public.videos drop constraint videos_url_check;
alter table public.videos add constraint videos_url_check check (
  char_length(url) <= 500
  and url ~ ('^https://([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]'
    '(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?'
    '(/[^[:space:]<>"]*)?$')) not valid;
