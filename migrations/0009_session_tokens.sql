-- Wallet, kind of sign-in and end of a session are in its token, under an HMAC. A row names the event of the login: `family`
-- is the `session` of the event at position `login`. Sessions of before end: their tokens have no such claims.
delete from sessions;
drop index sessions_by_expiry;
alter table sessions drop column expires_at;
alter table sessions add column login bigint not null;
create index sessions_by_refresh on sessions (refreshed_at);

-- Sessions of operators are in the stream `operators`.
drop table operator_sessions;
