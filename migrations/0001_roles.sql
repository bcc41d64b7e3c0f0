-- The roles of the application. They own nothing: what they may do is granted by name, table by table.
-- Roles belong to the cluster: another database of it may have created them, or may be creating them now.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['reelbook_app', 'reelbook_projector'] loop
    begin
      if to_regrole(wanted) is null then
        execute format('create role %I nologin', wanted);
      end if;
    exception when duplicate_object or unique_violation then
      null;
    end;
    -- The migrating login may act as the roles: one login serves every process of a small installation. One that was
    -- given them beforehand need not be allowed to grant them. (Before 16 a member may always act as the role.)
    if not pg_has_role(current_user, wanted,
      case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
end $$;

revoke create on schema public from public;
grant usage on schema public to reelbook_app, reelbook_projector;

-- Read models live apart from the facts and belong to the projector, who may drop and rebuild them at will.
create schema projections authorization reelbook_projector;
grant usage on schema projections to reelbook_app;
alter default privileges for role reelbook_projector in schema projections
  grant select on tables to reelbook_app;

-- Every process compares the schema that it finds with the one that it was built for, and refuses another.
grant select on migrations to reelbook_app, reelbook_projector;
