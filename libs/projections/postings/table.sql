-- `after` is what the account holds once the event at `position` is in: any balance at any position is one look-up.
create table if not exists postings_v1 (
  account text not null,
  asset text not null,
  position bigint not null,
  delta numeric not null,
  after numeric not null,
  primary key (account, asset, position)
);
