with recursive reached(class, object) as (
  select 'pg_catalog.pg_class'::pg_catalog.regclass::oid, $1::oid
  union
  select next.class, next.object
  from reached
  cross join lateral (
    select policy.tableoid, policy.oid
    from pg_catalog.pg_policy as policy
    where reached.class = 'pg_catalog.pg_class'::pg_catalog.regclass and policy.polrelid = reached.object
    union all
    select rule.tableoid, rule.oid
    from pg_catalog.pg_rewrite as rule
    where reached.class = 'pg_catalog.pg_class'::pg_catalog.regclass and rule.ev_class = reached.object
    union all
    -- Virtual columns are expressions.
    select generated.tableoid, generated.oid
    from pg_catalog.pg_attrdef as generated
    where reached.class = 'pg_catalog.pg_class'::pg_catalog.regclass and generated.adrelid = reached.object
    union all
    -- Operators are functions.
    select 'pg_catalog.pg_proc'::pg_catalog.regclass, operator.oprcode
    from pg_catalog.pg_operator as operator
    where reached.class = 'pg_catalog.pg_operator'::pg_catalog.regclass and operator.oid = reached.object
    union all
    select depends.refclassid, depends.refobjid
    from pg_catalog.pg_depend as depends
    where depends.classid = reached.class
      and depends.objid = reached.object
      and reached.class in (
        'pg_catalog.pg_policy'::pg_catalog.regclass,
        'pg_catalog.pg_rewrite'::pg_catalog.regclass,
        'pg_catalog.pg_attrdef'::pg_catalog.regclass,
        -- A call may leave out arguments, whose defaults are expressions.
        'pg_catalog.pg_proc'::pg_catalog.regclass
      )
  ) as next(class, object)
)
select not exists (
  select
  from reached
  join pg_catalog.pg_proc as function on function.oid = reached.object
  join pg_catalog.pg_language as language on language.oid = function.prolang
  where reached.class = 'pg_catalog.pg_proc'::pg_catalog.regclass
    and language.lanname not in ('c', 'internal')
    and (
      function.provolatile = 'i'
      -- PostgreSQL may write the body of such a function into the plan, with what the body calls. What auth's functions call is
      -- known.
      or language.lanname = 'sql' and not function.prosecdef and function.proconfig is null
        and function.oid <> all (array(
          select own.oid
          from pg_catalog.pg_proc as own
          join pg_catalog.pg_namespace as namespace on namespace.oid = own.pronamespace
          where namespace.nspname = 'auth' and own.proname in ('uid', 'role', 'email', 'jwt') and own.pronargs = 0
        ))
    )
)
