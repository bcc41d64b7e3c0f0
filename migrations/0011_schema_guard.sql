-- Every process compares the schema that it finds with the one that it was built for, and refuses another.
grant select on migrations to reelbook_app, reelbook_projector;
