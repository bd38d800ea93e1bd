/** Migrations between two definitions, applied to a database and compared with a new one. */
import { parseSingleFile } from '../../../src/definition/index.ts';
import { formatIssue } from '../../../src/reading/issues.ts';
import { packageVersion } from '../../../src/disk/package.ts';
import { readTemplate } from '../../../src/disk/templates.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { Model } from '../../../src/model/types.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import { planOutputs } from '../../../src/plan/outputs.ts';
import { fillOnce, renderFiles } from '../../../src/render/render.ts';
import type { Database } from '../../../templates/service/src/platform/database/database.ts';

/** A model from the collections of one file, in YAML. */
export async function modelOf(collections: string, versions = '[1]'): Promise<Model> {
  // Existing tables need it.
  const schema = collections.includes('table: ') ? 'schema: service\n' : '';
  return modelOfFile(
    `name: shop\nroles: [editor]\nversions: ${versions}\n${schema}collections:\n${indent(collections)}`,
  );
}

/** A model from all definitions in one file. */
export async function modelOfFile(text: string): Promise<Model> {
  const bytes = new TextEncoder().encode(text);
  const result = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(`${result.issues.map(formatIssue).join('\n')}\n${text}`);
  return buildModel(result.service);
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');

/** The first migration of a new project. */
export async function initialSql(model: Model): Promise<string> {
  const outputs = planOutputs(model, { tool: packageVersion(), manager: NPM });
  const [file] = await renderFiles(
    outputs.filter(({ ownership }) => ownership === 'append'),
    fillOnce(readTemplate),
  );
  if (file === undefined) throw new Error('a project has no first migration');
  return file.text;
}

/**
 * All that the current schema of a database holds, each thing as one line: columns, constraints,
 * indexes, triggers and functions by their definitions. The order of columns is left out, and so
 * are the names that PostgreSQL 18 gives to `not null`, which no earlier version has.
 */
export async function catalogOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ line: string }>({
    text: `
    with "own" as (
      select c.oid, c.relname, c.relkind from pg_class c
      where c.relnamespace = current_schema()::regnamespace
    )
    select 'column ' || r.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || ' collate ' || coalesce(l.collname, '-') || case when a.attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      || coalesce((
        select ' identity ' || a.attidentity::text || ' from ' || "seqstart" || ' at least ' || "seqmin" from pg_sequence
        where "seqrelid" = pg_get_serial_sequence(quote_ident(r.relname), a.attname)::regclass
      ), '') as "line"
    from own r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
    where r.relkind in ('r', 'v')
    union all
    select 'view ' || r.relname || ' ' || pg_get_viewdef(r.oid) from own r where r.relkind = 'v'
    union all
    select 'constraint ' || r.relname || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
      || case when c.convalidated then '' else ' NOT VALIDATED' end
    from own r join pg_constraint c on c.conrelid = r.oid where c.contype <> 'n'
    union all
    select 'index ' || r.relname || ' ' || pg_get_indexdef(r.oid)
      || case when i.indisvalid then '' else ' INVALID' end
    from own r join pg_index i on i.indexrelid = r.oid
    union all
    select 'trigger ' || r.relname || ' ' || t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid)
    from own r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
    union all
    select 'function ' || p.proname || ' ' || p.prosrc
    from pg_proc p where p.pronamespace = current_schema()::regnamespace
    order by 1`,
  });
  const [name] = await database.query<{ name: string }>({
    text: 'select current_schema() as "name"',
  });
  return rows.map(({ line }) => line.replaceAll(`${name?.name ?? ''}.`, ''));
}
