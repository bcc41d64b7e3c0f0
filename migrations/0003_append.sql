-- Appends many commands at once and answers for each. The only way into the book.
--
-- Arrays with one entry a command: claim key, request hash, stream, expected version, number of events,
-- configuration version it was decided under (-1: any), change of the token margin, whether the margin must cover
-- it, tip state after it, schema of that state. Arrays with one entry an event, in the order of the commands: its
-- type, and the tail of its body from `"data":` to the closing brace.
--
-- Per command, in order: `appended` (position of its first event, version after it), `already-claimed` (position of
-- the command that holds the claim), `version-conflict` (actual version), `stale-config`, `over-cover`. A refused
-- command writes nothing, claims nothing, leaves no hole and does not harm its neighbours, except that a later
-- command of the same stream in the same call was decided on its result, and so conflicts as well.
--
-- Lookups are scalar subqueries on primary keys and sequential scans are off: a plan made while a table was
-- empty would otherwise read the whole of it for as long as the connection lives.
create function append(
  claim_keys uuid[],
  request_hashes bytea[],
  stream_names text[],
  expected_versions bigint[],
  event_counts int[],
  config_versions bigint[],
  margin_deltas bigint[],
  must_cover boolean[],
  tip_states text[],
  state_schemas int[],
  event_types text[],
  body_tails text[]
) returns table (status text, at_position bigint, at_version bigint, at_time timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off
as $$
declare
  commands_max constant int := 256;
  events_max constant int := 16;
  command_count constant int := cardinality(claim_keys);
  book head%rowtype;
  sealed_at timestamptz;
  sealed_text text;
  command record;
  cursor_event int := 0;
  next_version bigint;
  body_text text;
  -- per command
  statuses text[] := array_fill(null::text, array[command_count]);
  positions bigint[] := array_fill(null::bigint, array[command_count]);
  versions bigint[] := array_fill(null::bigint, array[command_count]);
  claimed_at bigint[] := array_fill(null::bigint, array[command_count]);
  is_tip boolean[] := array_fill(false, array[command_count]);
  keys uuid[] := array_fill(null::uuid, array[command_count]);
  -- per event appended
  e_position bigint[] := '{}';
  e_first bigint[] := '{}';
  e_stream uuid[] := '{}';
  e_version bigint[] := '{}';
  e_type text[] := '{}';
  e_body text[] := '{}';
  e_hash bytea[] := '{}';
begin
  if command_count not between 1 and commands_max then
    raise exception 'append takes 1 to % commands, got %', commands_max, command_count;
  end if;
  -- A null, or an array too short, would slip through every comparison below.
  if exists (
    select from generate_series(1, command_count) as g(i)
    where not ((claim_keys[i], request_hashes[i], stream_names[i], expected_versions[i], event_counts[i],
      config_versions[i], margin_deltas[i], must_cover[i], tip_states[i], state_schemas[i]) is not null)
  ) then
    raise exception 'append got a command with a part missing';
  end if;
  if cardinality(event_types) <> (select sum(c) from unnest(event_counts) c)
    or cardinality(body_tails) <> cardinality(event_types) then
    raise exception 'append got % events for % announced', cardinality(event_types),
      (select sum(c) from unnest(event_counts) c);
  end if;

  select * into strict book from head for update;
  sealed_at := greatest(date_trunc('milliseconds', clock_timestamp()), book.recorded_at);
  sealed_text := to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

  for command in
    select c.i, c.stream,
      (select k.position from claims k where k.key = claim_keys[c.i]) as claim,
      (select s.version from streams s where s.key = c.stream) as tip_version,
      lag(c.i) over (partition by claim_keys[c.i] order by c.i) as same_claim,
      lag(c.i) over (partition by c.stream order by c.i) as same_stream
    from (
      select g.i::int as i, stream_key(stream_names[g.i]) as stream
      from generate_series(1, command_count) as g(i)
    ) as c
    order by c.i
  loop
    if event_counts[command.i] not between 1 and events_max then
      raise exception 'a command has 1 to % events, got %', events_max, event_counts[command.i];
    end if;
    keys[command.i] := command.stream;
    claimed_at[command.i] := coalesce(command.claim, claimed_at[command.same_claim]);
    versions[command.i] := coalesce(versions[command.same_stream], command.tip_version, 0);

    if claimed_at[command.i] is not null then
      statuses[command.i] := 'already-claimed';
      positions[command.i] := claimed_at[command.i];
    elsif statuses[command.same_stream] <> 'appended'
      or expected_versions[command.i] <> versions[command.i] then
      statuses[command.i] := 'version-conflict';
    elsif config_versions[command.i] not in (-1, book.config_version) then
      statuses[command.i] := 'stale-config';
    elsif must_cover[command.i] and margin_deltas[command.i] < 0
      and book.token_margin + margin_deltas[command.i] < 0 then
      statuses[command.i] := 'over-cover';
    else
      statuses[command.i] := 'appended';
      positions[command.i] := book.position + 1;
      claimed_at[command.i] := book.position + 1;
      next_version := versions[command.i];
      for n in cursor_event + 1 .. cursor_event + event_counts[command.i] loop
        if event_types[n] !~ '^[A-Za-z]+$' then
          raise exception 'not the type of an event: %', event_types[n];
        end if;
        book.position := book.position + 1;
        next_version := next_version + 1;
        body_text := '{"position":' || book.position || ',"stream":"' || stream_names[command.i]
          || '","version":' || next_version || ',"type":"' || event_types[n] || '","time":"'
          || sealed_text || '",' || body_tails[n];
        book.hash := sha256(book.hash || convert_to(body_text, 'UTF8'));
        e_position := e_position || book.position;
        e_first := e_first || positions[command.i];
        e_stream := e_stream || command.stream;
        e_version := e_version || next_version;
        e_type := e_type || event_types[n];
        e_body := e_body || body_text;
        e_hash := e_hash || book.hash;
      end loop;
      versions[command.i] := next_version;
      book.token_margin := book.token_margin + margin_deltas[command.i];
      if stream_names[command.i] = 'config' then
        book.config_version := next_version;
      end if;
      is_tip[command.i] := true;
      if command.same_stream is not null then
        is_tip[command.same_stream] := false;
      end if;
    end if;
    cursor_event := cursor_event + event_counts[command.i];
  end loop;

  if cardinality(e_position) > 0 then
    insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
      select p, f, s, v, t, b::json, h, sealed_at
      from unnest(e_position, e_first, e_stream, e_version, e_type, e_body, e_hash)
        as appended(p, f, s, v, t, b, h);
    insert into claims (key, request_hash, position)
      select claim_keys[i], request_hashes[i], positions[i]
      from generate_series(1, command_count) as g(i) where statuses[i] = 'appended';
    insert into streams (key, name, version, state, state_schema)
      select keys[i], stream_names[i], versions[i], tip_states[i]::json, state_schemas[i]
      from generate_series(1, command_count) as g(i) where is_tip[i]
      on conflict (key) do update set version = excluded.version, state = excluded.state,
        state_schema = excluded.state_schema;
    update head set position = book.position, hash = book.hash, recorded_at = sealed_at,
      config_version = book.config_version, token_margin = book.token_margin;
  end if;

  return query select statuses[i], positions[i], versions[i], sealed_at
    from generate_series(1, command_count) as g(i) order by i;
end $$;

revoke execute on function append from public;
grant execute on function append to reelbook_app;
