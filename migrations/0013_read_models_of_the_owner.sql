-- Read models belong to the owner: the owner of a table may add an index, statistics, a policy or a trigger, and their functions
-- run with the rights of those who read or write the table. What the projector made is dropped with everything that hangs on it; the read
-- models are built again from the events.
set local role reelbook_projector;
drop schema projections, projections_rebuilt, projections_replaced, projections_moving cascade;
reset role;
delete from checkpoints where name like '%@%';
-- Not deleted: a lease of before must not be taken for one of a new row.
update checkpoints set position = 0, status = 'running', error = null, holder = null, lease_until = null,
    lease_epoch = lease_epoch + 1
  where name not in ('publisher', 'cashier');
-- Work on copies that are gone.
delete from admin_jobs where kind in ('rebuild', 'switch', 'back', 'discard');

create schema projections;
grant usage on schema projections to reelbook_app, reelbook_projector;
-- Of tables that a rebuild fills.
create schema projections_rebuilt;
