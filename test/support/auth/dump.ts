import type { Db } from '@linnet/db/database';

/** Every row of every table as text; `bytea` in hex. Rows of partitions count for their table. */
export async function dumpDatabase({ prisma }: Pick<Db, 'prisma'>): Promise<string> {
  const [found] = await prisma.$queryRaw<{ union: string }[]>`
    SELECT string_agg(format('SELECT t::text AS row FROM %s t', oid::regclass), ' UNION ALL ') AS union FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;
  const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(found?.union ?? '');
  return rows.map(({ row }) => row).join('\n');
}
