-- Read models belong to the owner: the owner of a table may add an index, statistics, a policy or a trigger, and their functions
-- run with the rights of those who read or write the table. What the projector made is dropped with everything that hangs on it; the read
-- models are built again from the events.
set local role reelbook_projector;
drop schema projections, projections_rebuilt, projections_replaced, projections_moving cascade;
reset role;
delete from checkpoints where name <> 'publisher';
-- Work on copies that are gone.
delete from admin_jobs where kind in ('rebuild', 'switch', 'back', 'discard');

create schema projections;
grant usage on schema projections to reelbook_app, reelbook_projector;
-- Of tables that a rebuild fills.
create schema projections_rebuilt;
