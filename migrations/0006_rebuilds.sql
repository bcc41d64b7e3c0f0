-- A read model is rebuilt beside the live one and switched to; the one it replaced is kept for going back.
create schema projections_rebuilt authorization reelbook_projector;
create schema projections_replaced authorization reelbook_projector;
-- Empty but inside the transaction of a switch, while tables of one name change places.
create schema projections_moving authorization reelbook_projector;

-- Tables take their privileges along when they are switched to.
grant usage on schema projections_rebuilt, projections_replaced to reelbook_app;
alter default privileges for role reelbook_projector in schema projections_rebuilt
  grant select on tables to reelbook_app;
