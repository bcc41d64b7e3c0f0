-- `dust`: small and no player's. Its event of a day lists the transactions.
alter table treasury_movements
  drop constraint treasury_movements_kind_check,
  drop constraint treasury_movements_check,
  add check (kind in ('deposit', 'unmatched', 'dust', 'withdrawal', 'other', 'unread')),
  add check ((kind in ('deposit', 'unmatched', 'dust')) = (delta > 0));

create index events_dust on events
  using gin (jsonb_path_query_array((body->'data'->'transfers')::jsonb, '$[*].signature'))
  where type = 'DustReceived';
