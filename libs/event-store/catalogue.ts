import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

/**
 * What the catalogue of the database has of this site, in a normal form that is the same for every supported version of
 * Postgres and every owner: objects, each with fields that read as text. `npm run generate` stores that of a fresh database
 * in migrations/catalogue.json. A difference is a change that no migration made: a disabled trigger, another `append`, a
 * grant, a policy. Extensions and other schemas do not count, except for what they do to this site's objects.
 */

/** By object and field; an absent field is the default of Postgres. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
export const CATALOGUE_FILE = `${MIGRATIONS}catalogue.json`;

/** Fields shown of an object that was added. */
const ADDED_FIELDS_MAX = 2;

/** A table of a read model may be missing, in a database of another build: the comparison of read models finds that. */
const READ_MODEL = /^table projections\w*\./;
/** What a rebuild fills gets the indexes and privileges of readers at its end. */
const SHADOW = /^(table projections)_rebuilt\./;
const SHADOWS = /\bprojections_rebuilt\./g;
/** Tables of read models that another build keeps; no statement of this build names them. */
const OTHER_VERSION = /^table projections\w*\.\w+_v\d+$/;
const ACTIVE_FIELD = /^(?:trigger|rule|policy|child) /;

let own: Catalogue | null = null;

/** A pool of any role, because the catalogue is public, or a client inside a transaction. */
type Db = pg.Pool | pg.PoolClient;

/** The differences from this build's catalogue and the additions of later builds, as texts for operators. */
export async function catalogueFaults(db: Db): Promise<readonly string[]> {
  const first = await readDifferences(db);
  if (first.length === 0) return first;
  // A rebuild or a migration may have changed it during the reading: a fault is in a second one as well.
  const second = new Set(await readDifferences(db));
  return first.filter((fault) => second.has(fault));
}

async function readDifferences(db: Db): Promise<readonly string[]> {
  own ??= JSON.parse(readFileSync(CATALOGUE_FILE, 'utf8')) as Catalogue;
  const { rows } = await db.query<{ name: string; additions: string }>(
    'select name, additions from public.migrations where additions is not null order by name',
  );
  let expected = own;
  for (const { name, additions } of rows)
    if (!existsSync(MIGRATIONS + name)) expected = extend(expected, JSON.parse(additions));
  return compare(expected, await readCatalogue(db));
}

/** Of a new object, by its kind: what does not act on others, with the rights of its owner. */
const OF_ADDED: Readonly<Record<string, RegExp>> = {
  table: /^(?:column|constraint|index|privileges) |^owner: the owner$/,
  sequence: /^privileges |^owner: the owner$|^sequence: /,
  function: /^privileges |^owner: the owner$|^(?:arguments|behaviour|returns|settings|source): /,
};
const CONSTANT = /^(?:'(?:[^']|'')*'::[\w ()[\]]+|\(?-?[\d.]+\)?(?:::\w+)?|true|false|now\(\))$/;

/**
 * What `found` has more than `before`, as far as a build from before works with it as without it, and it can do nothing
 * with what that build has. A build judges this itself: the record of a migration may be wrong.
 */
export function additionsOf(before: Catalogue, found: Catalogue): Catalogue {
  const additions: Record<string, Record<string, string>> = {};
  // A record may be forged, in any form.
  for (const [object, fields] of Object.entries(found ?? {})) {
    const isAddition = before[object] ? isAddedField : isOfAddedObject;
    const added = Object.entries(fields ?? {}).filter(
      ([field, text]) => typeof text === 'string' && isAddition(before, object, field, fields),
    );
    if (added.length > 0) additions[object] = Object.fromEntries(added);
  }
  return additions;
}

export function extend(before: Catalogue, more: Catalogue): Catalogue {
  const extended = { ...before };
  for (const [object, fields] of Object.entries(additionsOf(before, more)))
    extended[object] = { ...before[object], ...fields };
  return extended;
}

/** Tables that no function names: its SQL would take a new column for its argument or variable of that name. */
const WIDENABLE = /^table public\.(?!(?:events|idempotency_keys|ledger_head|streams)$)/;
/** No write fails at it: nothing is computed, and no value is too long. */
const INDEX =
  /^CREATE INDEX \w+ ON [\w.]+ USING btree \((\w+(?:, \w+)*)\)(?: WHERE \(\w+ IS (?:NOT )?NULL\))?$/;
const SHORT = /^(?:smallint|integer|bigint|uuid|boolean|date|timestamp with time zone)(?!\[)/;

type IsAddition = (b: Catalogue, object: string, field: string, of: Catalogue[string]) => boolean;

const isAddedField: IsAddition = (before, object, field, found) => {
  const [known = {}, text = ''] = [before[object], found[field]];
  if (field in known) return false;
  const [, granted] = /^privileges of \w+ on (column \w+)$/.exec(field) ?? [];
  if (granted) return granted in found && !(granted in known);
  if (field.startsWith('index ')) {
    const columns = INDEX.exec(text)?.[1]?.split(', ') ?? [''];
    return columns.every((one) => SHORT.test({ ...found, ...known }[`column ${one}`] ?? ''));
  }
  if (!WIDENABLE.test(object) || !field.startsWith('column ')) return false;
  // Queries that join tables name such a column without its table.
  if (Object.values(before).some((one) => field in one)) return false;
  const [type = '', value] = text.split(/ default (.*)/s);
  const isOptional = value === undefined ? !type.endsWith(' not null') : CONSTANT.test(value);
  return isOptional && !/[.]| generated\b/.test(type);
};

const isOfAddedObject: IsAddition = (before, object, field, { [field]: text = '' }) => {
  const [, kind = '', name] = /^(\w+) public\.(\w+)(?:\(.*\))?$/.exec(object) ?? [];
  const namesake = `function public.${name}(`;
  if (Object.keys(before).some((one) => one.startsWith(namesake))) return false;
  const [, other] = /^FOREIGN KEY \([\w, ]+\) REFERENCES ([\w.]+)\(/.exec(text) ?? [];
  if (field.startsWith('constraint ') && text.includes('REFERENCES') && !other) return false;
  return !(`table ${other}` in before) && OF_ADDED[kind]?.test(`${field}: ${text}`) === true;
};

export function compare(expected: Catalogue, found: Catalogue): readonly string[] {
  const faults = Object.entries(found).flatMap(([object, fields]) => {
    const wanted = expected[object.replace(SHADOW, '$1.')];
    if (wanted) return compareFields(object, wanted, fields);
    const all = Object.entries(fields);
    const shown = OTHER_VERSION.test(object)
      ? all.filter(([name]) => ACTIVE_FIELD.test(name))
      : all;
    if (OTHER_VERSION.test(object) && shown.length === 0) return [];
    const texts = shown.slice(0, ADDED_FIELDS_MAX).map(([name, text]) => `${name}: ${text}`);
    return [`${object} was added (${texts.join('; ')})`];
  });
  const missing = Object.keys(expected).filter(
    (object) => !(object in found) && !READ_MODEL.test(object),
  );
  return [...faults, ...missing.map((object) => `${object} is missing`)];
}

function compareFields(
  object: string,
  wanted: Catalogue[string],
  fields: Catalogue[string],
): readonly string[] {
  return [...new Set([...Object.keys(wanted), ...Object.keys(fields)])].flatMap((name) => {
    const [is, expected] = [fields[name], wanted[name]];
    if (is === expected) return [];
    // A site may take privileges from the public.
    if (is === undefined && name === 'privileges of PUBLIC') return [];
    const isLater = name.startsWith('privileges of ') || expected?.startsWith('CREATE INDEX ');
    if (is === undefined && isLater && SHADOW.test(object)) return [];
    return [`${object}: ${name} is ${is ?? 'missing'}, expected ${expected ?? 'none'}`];
  });
}

export async function readCatalogue(db: Db): Promise<Catalogue> {
  // Statements without parameters are one transaction. The path makes every name in the result qualified.
  const results = (await db.query(
    `set local search_path = pg_catalog; ${CATALOGUE}`,
  )) as unknown as readonly pg.QueryResult<{
    object: string;
    field: string;
    value: string | null;
  }>[];
  const objects: Record<string, Record<string, string>> = {};
  for (const { object, field, value } of results[1]?.rows ?? []) {
    objects[object] ??= {};
    // Null: it was dropped during the reading.
    if (value !== null) objects[object][field] = value.replaceAll(SHADOWS, 'projections.');
  }
  return objects;
}

/** Roles by name; the owner of the migrations, whose name an installation chooses, as `the owner`. */
const CATALOGUE = `
with site_role as (
  select oid, rolname, rolsuper,
    case when rolname ~ '^reelbook_(app|projector)$' then rolname::text else 'the owner' end as name
  from pg_roles
  where rolname in ('reelbook_app', 'reelbook_projector')
    or oid = (select relowner from pg_class where oid = to_regclass('public.migrations'))
), named as (
  select oid, coalesce(site_role.name, quote_ident(rolname)) as name
  from pg_roles left join site_role using (oid, rolname)
  union all select 0, 'PUBLIC'
), site_schema as (
  -- A schema with the name of a role comes before public in its search path.
  select oid, nspname, nspowner, nspacl from pg_namespace
  where nspname ~ '^(public|projections(_rebuilt)?)$'
    or nspname in (select rolname from site_role)
), of_extension as (
  -- Not what a login without superuser rights added to an extension: the objects of extensions are a superuser's.
  select classid, objid from pg_depend as d
  where deptype = 'e' and not exists (
    select from pg_shdepend as s join site_role on site_role.oid = s.refobjid and not rolsuper
    where s.dbid = (select oid from pg_database where datname = current_database())
      and (s.classid, s.objid, s.deptype) = (d.classid, d.objid, 'o'))
), firing (code, word) as (
  values ('O'::"char", 'enabled'), ('D', 'disabled'), ('A', 'enabled always'), ('R', 'enabled on replicas only')
), relation as (
  select c.*, case relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized view'
      when 'f' then 'foreign table' when 'S' then 'sequence' else 'partitioned table' end
    || format(' %I.%I', nspname, relname) as object
  from pg_class as c join pg_namespace as n on n.oid = relnamespace
  where relkind in ('r', 'v', 'm', 'f', 'S', 'p')
    and ('pg_class'::regclass, c.oid) not in (select classid, objid from of_extension)
    and (relnamespace in (select oid from site_schema)
      -- In another schema: what lets others write to a table of the site with the rights of its owner.
      or relowner in (select oid from site_role) and nspname !~ '^pg_(toast_)?temp_'
        and exists (select from aclexplode(relacl)
          where grantee <> relowner and privilege_type in ('INSERT', 'UPDATE', 'DELETE'))
        and exists (select from pg_rewrite join pg_depend
            on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
              and refclassid = 'pg_class'::regclass
            join pg_class as used on used.oid = refobjid
          where ev_class = c.oid and used.relnamespace in (select oid from site_schema)))
), routine as (
  select p.*, case prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end
    || format(' %I.%I(%s)', nspname, proname, oidvectortypes(proargtypes)) as object
  from pg_proc as p join pg_namespace as n on n.oid = pronamespace
  where ('pg_proc'::regclass, p.oid) not in (select classid, objid from of_extension)
    and (pronamespace in (select oid from site_schema)
      or prosecdef and proowner in (select oid from site_role) and nspname !~ '^pg_(toast_)?temp_')
), acl (object, of, owner, items) as (
  select object, '', relowner,
      coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))
    from relation
  union all select object, ' on column ' || quote_ident(attname), relowner, attacl
    from relation join pg_attribute on attrelid = relation.oid
  union all select object, '', proowner, coalesce(proacl, acldefault('f', proowner)) from routine
  union all select 'schema ' || quote_ident(nspname), '', nspowner, coalesce(nspacl, acldefault('n', nspowner))
    from site_schema
  union all select 'default privileges of ' || name
      || coalesce(' in schema ' || quote_ident(nspname), '') || ' on objects of type ' || defaclobjtype::text,
      '', defaclrole, defaclacl
    from pg_default_acl join named on named.oid = defaclrole
      left join pg_namespace as n on n.oid = defaclnamespace
    where defaclrole in (select oid from site_role) or defaclnamespace in (select oid from site_schema)
), privilege as (
  select object, 'privileges of ' || name || of as field,
    privilege_type || case when is_grantable then ' with grant option' else '' end as value
  from acl cross join aclexplode(items) join named on named.oid = grantee
  where grantee <> owner
  -- Others may have these: only the site's own roles and the public may not.
  union all select 'database', 'privileges of ' || name, privilege_type
    from pg_database cross join aclexplode(datacl) join named on named.oid = grantee
    where datname = current_database() and privilege_type = 'CREATE' and grantee <> datdba
      and name in ('PUBLIC', 'reelbook_app', 'reelbook_projector')
  union all select 'parameter ' || parname, 'privileges of ' || name, privilege_type
    from pg_parameter_acl cross join aclexplode(paracl) join named on named.oid = grantee
    where name in ('PUBLIC', 'reelbook_app', 'reelbook_projector')
), setting as (
  select 'settings of ' || case when setrole = 0 then 'this database' else name end as object,
    split_part(item, '=', 1) as field, substr(item, strpos(item, '=') + 1) as value
  from pg_db_role_setting join named on named.oid = setrole cross join unnest(setconfig) as item
  where setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and (setrole = 0 or setrole in (select oid from site_role) or name = quote_ident(session_user)
      or setrole in (select member from pg_auth_members join site_role on site_role.oid = roleid))
  union all select 'settings of the server', name, reset_val from pg_settings
    where name in ('search_path', 'session_replication_role', 'row_security', 'transform_null_equals')
      and source in ('configuration file', 'command line', 'environment variable')
      and reset_val <> boot_val
)
select object, 'owner' as field, name as value from relation join named on named.oid = relowner
union all select object, 'persistence', case relpersistence when 'u' then 'unlogged' else 'temporary' end
  from relation where relpersistence <> 'p'
union all select object, 'row security', case when relforcerowsecurity then 'forced' else 'enabled' end
  from relation where relrowsecurity or relforcerowsecurity
union all select object, 'child ' || inhrelid::regclass, 'inherits it'
  from relation join pg_inherits on inhparent = relation.oid
union all select object, 'parent ' || inhparent::regclass, 'is inherited'
  from relation join pg_inherits on inhrelid = relation.oid
union all select object, 'column ' || quote_ident(attname),
    concat_ws(' ', format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
      case when attnotnull then 'not null' end,
      case attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end,
      case when attgenerated <> '' then 'generated' end, 'default ' || pg_get_expr(adbin, adrelid))
  from relation join pg_attribute on attrelid = relation.oid join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped and relkind <> 'S'
union all select object, 'sequence', concat_ws(' ', format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax,
    case when seqcycle then 'cycle' end)
  from relation join pg_sequence on seqrelid = relation.oid
-- Not-null constraints have been here since Postgres 18; the columns have them.
union all select object, 'constraint ' || quote_ident(conname), pg_get_constraintdef(pg_constraint.oid)
    || coalesce((select ', its triggers ' || string_agg(distinct word, ', ')
      from pg_trigger join firing on code = tgenabled
      where tgconstraint = pg_constraint.oid and tgenabled <> 'O'), '')
  from relation join pg_constraint on conrelid = relation.oid where contype <> 'n' or not convalidated
union all select object, 'index ' || quote_ident(c.relname), pg_get_indexdef(indexrelid)
    || case when indisvalid and indisready and indislive then '' else ', invalid' end
  from relation join pg_index on indrelid = relation.oid join pg_class as c on c.oid = indexrelid
  where not (indisvalid and indislive and indexrelid in (select conindid from pg_constraint where contype in ('p', 'u', 'x')))
    -- Not the transient index of a reindex; one with expressions or a predicate could run a function.
    and not (not indisvalid and c.relname ~ '_cc(new|old)[0-9]*$' and indexprs is null and indpred is null)
-- Those on expressions could run a function.
union all select object, 'statistics ' || quote_ident(stxname), pg_get_statisticsobjdef(s.oid)
  from relation join pg_statistic_ext as s on stxrelid = relation.oid where stxexprs is not null
union all select object, 'trigger ' || quote_ident(tgname), pg_get_triggerdef(pg_trigger.oid)
  from relation join pg_trigger on tgrelid = relation.oid where not tgisinternal
union all select object, 'state of trigger ' || quote_ident(tgname), word
  from relation join pg_trigger on tgrelid = relation.oid join firing on code = tgenabled where not tgisinternal
union all select object, 'rule ' || quote_ident(rulename), pg_get_ruledef(pg_rewrite.oid)
  from relation join pg_rewrite on ev_class = relation.oid where rulename <> '_RETURN'
union all select object, 'policy ' || quote_ident(polname),
    concat_ws(' ', 'using', pg_get_expr(polqual, polrelid), 'with check ' || pg_get_expr(polwithcheck, polrelid))
  from relation join pg_policy on polrelid = relation.oid
union all select object, 'owner', name from routine join named on named.oid = proowner
union all select object, 'arguments', pg_get_function_arguments(oid) from routine
union all select object, 'returns', coalesce(pg_get_function_result(oid), '') from routine
-- A call could choose it instead.
union all select object, 'name', 'also of Postgres' from routine
  where proname in (select proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace)
union all select object, 'source', lanname || ' ' || encode(sha256(convert_to(
    concat_ws(' ', prosrc, probin, pg_get_function_sqlbody(routine.oid)), 'UTF8')), 'hex')
  from routine join pg_language on pg_language.oid = prolang
union all select object, 'security', 'definer' from routine where prosecdef
union all select object, 'settings', array_to_string(proconfig, '; ') from routine where proconfig is not null
union all select object, 'behaviour', concat_ws(' ',
    case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    case when proisstrict then 'strict' end, case when proleakproof then 'leakproof' end,
    case proparallel when 's' then 'parallel safe' when 'r' then 'parallel restricted' end,
    case when prosupport <> 0 then 'support ' || prosupport end)
  from routine
-- Of public the owner is the database's, or a role of the provider.
union all select 'schema ' || quote_ident(nspname), 'owner', name
  from site_schema join named on named.oid = nspowner
  where nspname <> 'public' or name in ('reelbook_app', 'reelbook_projector')
-- In pg_catalog, which comes before every other schema, all that is not of initdb.
union all select i.type || ' ' || i.identity, 'schema', 'pg_catalog'
  from (select 'pg_proc'::regclass as classid, oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    union all select 'pg_operator'::regclass, oid from pg_operator where oprnamespace = 'pg_catalog'::regnamespace) as o
    cross join pg_identify_object(classid, oid, 0) as i
  where oid >= 16384 and (classid, oid) not in (select classid, objid from of_extension)
-- Types, operators, collations and whatever else is in a schema.
union all select i.type || ' ' || i.identity, 'schema', nspname
  from site_schema join pg_depend as d on refclassid = 'pg_namespace'::regclass and refobjid = site_schema.oid
    cross join pg_identify_object(classid, objid, 0) as i
  where deptype = 'n' and (classid, objid) not in (select classid, objid from of_extension)
    and classid not in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_extension'::regclass, 'pg_statistic_ext'::regclass)
union all select 'event trigger ' || quote_ident(evtname), 'function', evtfoid::regprocedure || ', ' || word
  from pg_event_trigger join firing on code = evtenabled join pg_proc as p on p.oid = evtfoid
  where ('pg_event_trigger'::regclass, pg_event_trigger.oid) not in (select classid, objid from of_extension)
    and (evtowner in (select oid from site_role) or pronamespace in (select oid from site_schema))
union all select 'publication ' || quote_ident(pubname), 'owner', name
  from pg_publication as p join named on named.oid = pubowner
  where puballtables
    or exists (select from pg_publication_rel join relation on prrelid = relation.oid where prpubid = p.oid)
    or exists (select from pg_publication_namespace join site_schema on pnnspid = site_schema.oid where pnpubid = p.oid)
union all select 'subscription ' || quote_ident(subname), 'owner', name
  from pg_subscription join named on named.oid = subowner
  where subdbid = (select oid from pg_database where datname = current_database())
union all select 'role ' || name, 'attributes', coalesce(nullif(concat_ws(' ', case when r.rolsuper then 'superuser' end,
    case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
    case when rolcanlogin then 'login' end, case when rolreplication then 'replication' end,
    case when rolbypassrls then 'bypassrls' end), ''), 'none')
  from pg_roles as r join site_role using (oid) where name <> 'the owner'
union all select 'role ' || site_role.name, 'membership', string_agg(named.name, ', ' order by named.name collate "C")
  from pg_auth_members join site_role on site_role.oid = member join named on named.oid = roleid
  where site_role.name <> 'the owner' group by 1
-- Who may act as the owner, except for the login itself, and superusers, who may anyway.
union all select 'role the owner', 'members', string_agg(distinct other.rolname, ', ' order by other.rolname)
  from pg_auth_members as m join site_role on site_role.oid = roleid join pg_roles as other on other.oid = member
  where name = 'the owner' and other.rolname <> session_user and not other.rolsuper
    -- Since Postgres 16 the role that created another is its member without either.
    and coalesce(to_json(m)->>'set_option', 'true') || coalesce(to_json(m)->>'inherit_option', 'true') ~ 'true' group by 1
union all select object, field, string_agg(distinct value, ', ' order by value) from privilege group by 1, 2
-- Not what changes only speed, limits and logs; the settings of extensions have a dot.
union all select object, field, value from setting
  where field !~ '[.]|_timeout$|^lc_|^TimeZone$' and field not in (select name from pg_settings
    where category ~ '^(Reporting and Logging|Resource Usage|Query Tuning)') or field ~ '^plpgsql[.]'`;

/** A reading costs Postgres some 25 ms; one that is older than this is repeated. */
const READING_TTL_MS = 10_000;

export function keepReadings<Reading>(read: (pool: pg.Pool) => Promise<Reading>) {
  const readings = new WeakMap<pg.Pool, { readonly atMs: number; reading: Promise<Reading> }>();
  return (pool: pg.Pool): Promise<Reading> => {
    const last = readings.get(pool);
    if (last && performance.now() - last.atMs < READING_TTL_MS) return last.reading;
    const reading = read(pool);
    readings.set(pool, { atMs: performance.now(), reading });
    reading.catch(() => readings.delete(pool));
    return reading;
  };
}
