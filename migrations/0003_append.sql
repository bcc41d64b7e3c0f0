-- Appends a batch of commands and returns a result for each. The only way to write to the ledger.
--
-- Arrays with one entry a command: idempotency key, request hash, stream (its key and its name), expected version, number of events,
-- configuration version it was decided under (-1: any), change of the token margin, whether the margin must cover
-- it, stream state after it, schema of that state. Arrays with one entry an event, in the order of the commands: its
-- type, and the tail of its body from `"data":` to the closing brace. Last, the clock of the calling process, ms since 1970.
--
-- An event gets the time of Postgres' clock, and never one before the last event's. When the last event is ahead of the
-- clock by more than clock_skew_max, the ledger's time is constant until the clock reaches it, and each body also has `clock`.
--
-- Per command, in order: `appended` (position of its first event, version after it), `duplicate-key` (position of
-- the command that used the key), `clock-skew` (the two clocks differ by more than clock_skew_max), `version-conflict`
-- (actual version), `stale-config`, `over-cover`. A refused command writes nothing, uses no key, leaves no hole and does
-- not harm its neighbours, except that a later command of the same stream in the same call was decided on its result,
-- and so conflicts as well.
--
-- Lookups are scalar subqueries on primary keys and sequential scans are off: a plan made while a table was
-- empty would otherwise be read completely for as long as the connection lives.
create function append(
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
  process_ms bigint
) returns table (status text, at_position bigint, at_version bigint, at_time timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  commands_max constant int := 256;
  events_max constant int := 16;
  clock_skew_max constant interval := '30 seconds';
  command_count constant int := cardinality(command_keys);
  head_position bigint;
  head_hash bytea;
  head_config bigint;
  head_margin numeric;
  clock_time timestamptz;
  appended_at timestamptz;
  appended_text text;
  is_skewed boolean;
  command record;
  -- per command; `befores` is the version it was decided on, for one that was appended
  statuses text[] := array_fill(null::text, array[command_count]);
  positions bigint[] := array_fill(null::bigint, array[command_count]);
  befores bigint[] := array_fill(null::bigint, array[command_count]);
  versions bigint[] := array_fill(null::bigint, array[command_count]);
  key_positions bigint[] := array_fill(null::bigint, array[command_count]);
  is_last boolean[] := array_fill(false, array[command_count]);
  starts int[] := array_fill(null::int, array[command_count]);
  -- per event: the command it belongs to
  event_commands int[] := '{}';
  -- per event appended: its command, its number in it, type, body and hash
  owners int[];
  nths bigint[];
  types text[];
  bodies text[];
  hashes bytea[] := '{}';
begin
  if process_ms is null then
    raise exception 'append got no time of the process';
  end if;
  if command_count not between 1 and commands_max then
    raise exception 'append takes 1 to % commands, got %', commands_max, command_count;
  end if;
  -- A null, or an array too short, would slip through every comparison below.
  if exists (
    select from generate_series(1, command_count) as g(i)
    where not ((command_keys[i], request_hashes[i], stream_keys[i], stream_names[i], expected_versions[i],
      event_counts[i], config_versions[i], margin_deltas[i], must_cover[i], new_states[i],
      state_schemas[i]) is not null)
  ) then
    raise exception 'append got a command with a part missing';
  end if;
  if exists (select from unnest(event_counts) as c(n) where n not between 1 and events_max) then
    raise exception 'a command has 1 to % events', events_max;
  end if;
  if cardinality(event_types) <> (select sum(n) from unnest(event_counts) as c(n))
    or cardinality(body_tails) <> cardinality(event_types) then
    raise exception 'append got % events for % announced', cardinality(event_types),
      (select sum(n) from unnest(event_counts) as c(n));
  end if;
  if exists (select from unnest(event_types) as e(type) where type !~ '^[A-Za-z]+$') then
    raise exception 'not the type of an event';
  end if;

  select position, hash, config_version, token_margin,
      date_trunc('milliseconds', clock_timestamp()), recorded_at
    into strict head_position, head_hash, head_config, head_margin, clock_time, appended_at
    from ledger_head for update;
  is_skewed := abs(extract(epoch from clock_time) * 1000 - process_ms)
    > extract(epoch from clock_skew_max) * 1000;
  appended_at := greatest(clock_time, appended_at);
  appended_text := to_char(appended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  if appended_at > clock_time + clock_skew_max then
    appended_text := appended_text || '","clock":"'
      || to_char(clock_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  end if;

  for command in
    select i, stream_keys[i] as stream, stream_names[i] as name, event_counts[i] as event_count,
      margin_deltas[i] as margin,
      (select k.position from idempotency_keys k where k.key = command_keys[i]) as taken_at,
      (select s.version from streams s where s.key = stream_keys[i] and s.name = stream_names[i])
        as current_version,
      lag(i) over (partition by command_keys[i] order by i) as same_key,
      lag(i) over (partition by stream_keys[i] order by i) as same_stream
    from generate_series(1, command_count) as g(i)
    order by i
  loop
    if command.current_version is null
      and (command.stream <> stream_key(command.name) or command.name !~ '^[a-z]+(-[0-9A-Za-z]+)?$') then
      raise exception 'not a stream and its key: %', command.name;
    end if;
    starts[command.i] := cardinality(event_commands);
    event_commands := event_commands || array_fill(command.i, array[command.event_count]);
    key_positions[command.i] := coalesce(command.taken_at, key_positions[command.same_key]);
    versions[command.i] := coalesce(versions[command.same_stream], command.current_version, 0);
    if key_positions[command.i] is not null then
      statuses[command.i] := 'duplicate-key';
      positions[command.i] := key_positions[command.i];
    elsif is_skewed then
      statuses[command.i] := 'clock-skew';
    elsif statuses[command.same_stream] <> 'appended'
      or expected_versions[command.i] <> versions[command.i] then
      statuses[command.i] := 'version-conflict';
    elsif config_versions[command.i] not in (-1, head_config) then
      statuses[command.i] := 'stale-config';
    elsif must_cover[command.i] and command.margin < 0 and head_margin + command.margin < 0 then
      statuses[command.i] := 'over-cover';
    else
      statuses[command.i] := 'appended';
      positions[command.i] := head_position + 1;
      key_positions[command.i] := head_position + 1;
      befores[command.i] := versions[command.i];
      versions[command.i] := versions[command.i] + command.event_count;
      head_position := head_position + command.event_count;
      head_margin := head_margin + command.margin;
      is_last[command.i] := true;
      if command.same_stream is not null then
        is_last[command.same_stream] := false;
      end if;
      if command.name = 'config' then
        head_config := versions[command.i];
      end if;
    end if;
  end loop;

  -- Bodies in the order of their positions (a scan of unnest keeps it); then the chain, which must go one by one.
  select array_agg(i), array_agg(n - starts[i]), array_agg(type),
      array_agg('{"position":' || (positions[i] + n - starts[i] - 1) || ',"stream":"' || stream_names[i]
        || '","version":' || (befores[i] + n - starts[i]) || ',"type":"' || type || '","time":"'
        || appended_text || '",' || tail)
    into owners, nths, types, bodies
    from unnest(event_commands, event_types, body_tails) with ordinality as e(i, type, tail, n)
    where statuses[i] = 'appended';
  if bodies is not null then
    for n in 1 .. cardinality(bodies) loop
      head_hash := sha256(head_hash || convert_to(bodies[n], 'UTF8'));
      hashes := hashes || head_hash;
    end loop;

    insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
      select positions[i] + nth - 1, positions[i], stream_keys[i], befores[i] + nth, type, body::json,
        hash, appended_at
      from unnest(owners, nths, types, bodies, hashes) as e(i, nth, type, body, hash);
    insert into idempotency_keys (key, request_hash, position)
      select command_keys[i], request_hashes[i], positions[i]
      from generate_series(1, command_count) as g(i) where statuses[i] = 'appended';
    insert into streams (key, name, version, state, state_schema)
      select stream_keys[i], stream_names[i], versions[i], new_states[i]::json, state_schemas[i]
      from generate_series(1, command_count) as g(i) where is_last[i]
      on conflict (key) do update set version = excluded.version, state = excluded.state,
        state_schema = excluded.state_schema;
    update ledger_head set position = head_position, hash = head_hash, recorded_at = appended_at,
      config_version = head_config, token_margin = head_margin;
  end if;

  return query select statuses[i], positions[i], versions[i],
      case when is_skewed then clock_time else appended_at end
    from generate_series(1, command_count) as g(i) order by i;
end $$;

revoke execute on function append from public;
grant execute on function append to reelbook_app;
