-- Approvals have other events from here on, and these names and forms are final.
do $$
begin
  if exists (select from events) then
    raise exception 'a ledger of an earlier build, which was never released and can no longer be read: name an empty database, or another DATA_DIR';
  end if;
end $$;

-- `append` for a batch with commands that were decided on the operators' stream as well: `operators_versions` has its version
-- (-1: none). Where it has another version now, or the batch appends to it, such a command gets `version-conflict`. It takes
-- the lock of `append` first, so nothing comes between the comparison and the append.
create function append_approved(
  command_keys uuid[],
  request_hashes bytea[],
  stream_keys uuid[],
  stream_names text[],
  expected_versions bigint[],
  event_counts int[],
  config_versions bigint[],
  margin_deltas numeric[],
  must_cover boolean[],
  new_states text[],
  state_schemas int[],
  event_types text[],
  body_tails text[],
  process_ms bigint,
  operators_versions bigint[]
) returns table (status text, at_position bigint, at_version bigint, at_time timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off
as $$
declare
  current_version bigint;
  expected bigint[];
begin
  perform from ledger_head for update;
  current_version := coalesce((select s.version from streams s
    where s.key = stream_key('operators') and s.name = 'operators'), 0);
  -- No stream has the version -1.
  expected := array(
    select case when decided_at = -1
        or (decided_at = current_version and not 'operators' = any(stream_names)) then version else -1 end
    from unnest(expected_versions, operators_versions) with ordinality as c(version, decided_at, n) order by n);
  return query select * from append(command_keys, request_hashes, stream_keys, stream_names, expected, event_counts,
    config_versions, margin_deltas, must_cover, new_states, state_schemas, event_types, body_tails, process_ms);
end $$;

revoke execute on function append_approved from public;
grant execute on function append_approved to reelbook_app;
