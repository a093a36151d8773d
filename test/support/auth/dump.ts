import type { Db } from '@linnet/db/database';

/** Every row of every table as text; `bytea` in hex. */
export async function dumpDatabase({ prisma }: Pick<Db, 'prisma'>): Promise<string> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  const rows = await Promise.all(
    tables.map(({ name }) => prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
