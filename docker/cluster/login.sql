-- The login of the services, and its database: it owns nothing else, is no superuser and makes no roles. The two roles are
-- those of migrations/0001_roles.sql. Patroni runs this once, on the first node, with REELBOOK_PASSWORD in its environment.
\getenv password REELBOOK_PASSWORD
create role reelbook_app;
create role reelbook_projector;
create role reelbook login password :'password' in role reelbook_app, reelbook_projector;
create database reelbook owner reelbook;
