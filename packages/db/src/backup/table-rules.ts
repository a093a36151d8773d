import type pg from 'pg';

/** What a restore switches off while it loads rows. */
interface Rules {
  readonly foreignKeys: readonly { readonly drop: string; readonly add: string }[];
  /** Statements that bring each trigger back to the state it has now. */
  readonly triggers: readonly string[];
}

/** Reads the foreign keys and triggers of all tables. */
export async function readRules(client: pg.Client): Promise<Rules> {
  const { rows: foreignKeys } = await client.query<Rules['foreignKeys'][number]>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
       FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const { rows: triggers } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s ENABLE%s TRIGGER %I', tgrelid::regclass,
                   CASE tgenabled WHEN 'A' THEN ' ALWAYS' WHEN 'R' THEN ' REPLICA' ELSE '' END, tgname) AS statement
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND tgenabled <> 'D' AND c.relnamespace = current_schema()::regnamespace`,
  );
  return { foreignKeys, triggers: triggers.map(({ statement }) => statement) };
}
