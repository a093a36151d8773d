import { ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils';
import type {
  ColumnType,
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';

const info = { provider: 'postgres', adapterName: 'linnet-schema-engine' } as const;
const textArrayOid = 1009;
const usualTypeParser: (oid: number) => (value: string) => unknown = pg.types.getTypeParser;
/** Result types of the engine's catalog queries, by OID. Other types are returned as text. */
const columnTypes: ReadonlyMap<number, ColumnType> = new Map([
  [16, ColumnTypeEnum.Boolean],
  [18, ColumnTypeEnum.Character], // "char", in the system catalogs
  [20, ColumnTypeEnum.Int64],
  [21, ColumnTypeEnum.Int32],
  [23, ColumnTypeEnum.Int32],
  [26, ColumnTypeEnum.Int64], // oid
  [700, ColumnTypeEnum.Float],
  [701, ColumnTypeEnum.Double],
  [1114, ColumnTypeEnum.DateTime],
  [1184, ColumnTypeEnum.DateTime],
  [1000, ColumnTypeEnum.BooleanArray],
  [1002, ColumnTypeEnum.CharacterArray],
  [1003, ColumnTypeEnum.TextArray], // name[]
  [1005, ColumnTypeEnum.Int32Array],
  [1007, ColumnTypeEnum.Int32Array],
  [textArrayOid, ColumnTypeEnum.TextArray],
  [1016, ColumnTypeEnum.Int64Array],
  [1028, ColumnTypeEnum.Int64Array],
]);

/**
 * One connection for the schema engine. Prisma's own adapter does not support "char", and splits scripts at every
 * semicolon, even in function bodies; this one sends scripts unchanged.
 */
export function createEngineAdapter(url: string): SqlMigrationAwareDriverAdapterFactory & { close(): Promise<void> } {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  const connected = client.connect();
  connected.catch(() => undefined); // Each query reports the error.
  const query = async (text: string, args: readonly unknown[]) => {
    await connected;
    try {
      return await client.query<unknown[]>({
        text,
        values: [...args],
        rowMode: 'array',
        types: { getTypeParser: typeParser },
      });
    } catch (error) {
      throw toAdapterError(error);
    }
  };
  const connection: SqlDriverAdapter = {
    ...info,
    queryRaw: async ({ sql, args }: SqlQuery) => {
      const { fields, rows } = await query(sql, args);
      return {
        columnNames: fields.map(({ name }) => name),
        columnTypes: fields.map(({ dataTypeID }) => columnTypes.get(dataTypeID) ?? ColumnTypeEnum.Text),
        rows,
      };
    },
    executeRaw: async ({ sql, args }) => (await query(sql, args)).rowCount ?? 0,
    executeScript: async (script) => {
      await connected;
      try {
        await client.query(script);
      } catch (error) {
        throw toAdapterError(error);
      }
    },
    startTransaction: async () => await Promise.reject(new Error('the schema engine works without transactions')),
    dispose: async () => undefined,
  };
  return {
    ...info,
    connect: async () => await Promise.resolve(connection),
    connectToShadowDb: async () => await Promise.reject(new Error('there is no shadow database')),
    close: async () => await client.end(),
  };
}

const parsers: ReadonlyMap<ColumnType, (value: string) => unknown> = new Map<ColumnType, (value: string) => unknown>([
  [ColumnTypeEnum.Boolean, (value) => value === 't'],
  [ColumnTypeEnum.Int32, Number],
  [ColumnTypeEnum.Float, Number],
  [ColumnTypeEnum.Double, Number],
  [ColumnTypeEnum.DateTime, (value) => `${value.replace(' ', 'T').replace(/[+-]\d\d$/, '')}+00:00`],
  [ColumnTypeEnum.CharacterArray, usualTypeParser(textArrayOid)],
  [ColumnTypeEnum.TextArray, usualTypeParser(textArrayOid)],
  [ColumnTypeEnum.Int64Array, usualTypeParser(textArrayOid)],
]);

function typeParser(oid: number): (value: string) => unknown {
  const columnType = columnTypes.get(oid) ?? ColumnTypeEnum.Text;
  const isFlatArray = columnType === ColumnTypeEnum.BooleanArray || columnType === ColumnTypeEnum.Int32Array;
  return isFlatArray ? usualTypeParser(oid) : (parsers.get(columnType) ?? String);
}

function toAdapterError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code = '', severity = '', message, detail, column, hint } = error;
  return new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
}
