-- A player who bets without a pause wins every race for the player's stream. So a command of an operator or of the cashier
-- that lost one reserves the stream: meanwhile `append` refuses commands with other keys as `version-conflict`, and they are
-- decided again. A reservation is about who is first; each command still needs the version that it was decided on.
alter table streams add column reserved_for uuid, add column reserved_until timestamptz;

-- -2 is the version of no stream, and an event with a version below 1 is refused by its table.
do $$
declare
  before constant text := pg_get_functiondef('append'::regproc);
  after constant text := replace(before, '(select s.version from streams s where',
    '(select case when s.reserved_until > clock_time and s.reserved_for <> command_keys[i] then -2 else s.version end
        from streams s where');
begin
  assert before <> after, 'append looks up the version of a stream';
  execute after;
end $$;

-- Reserves a stream for a command, or takes its reservation back (0 seconds). That of another command stays until it ends.
create function reserve_stream(stream uuid, command uuid, seconds int) returns void
language sql
security definer
set search_path = pg_catalog, public, pg_temp
as $$
  update streams set reserved_for = command, reserved_until = clock_timestamp() + make_interval(secs => least(seconds, 10))
  where key = stream and (reserved_until > clock_timestamp() and reserved_for <> command) is not true;
$$;

revoke execute on function reserve_stream from public;
grant execute on function reserve_stream to reelbook_app;
