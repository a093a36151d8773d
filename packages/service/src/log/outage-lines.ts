import type { pino } from 'pino';

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>;

interface Suppressed {
  lines: number;
  /** Sum of the field `count` of the lines, such as lost events. */
  count: number;
}

const windowMs = 60_000;

/**
 * An outage fails every request. Of lines whose `err` has an `outage` (its cause in one word), the first is written, and
 * then one line a minute per cause with the number of those that were left out. Lines with a `count` of what was lost
 * are summed up for each message.
 */
export function limitOutageLines(): LogMethod {
  const windows = new Map<string, Suppressed>();

  return function limit(args, method) {
    const [fields, message] = args;
    const outage = readOutage(fields);
    const write = (added: object) => method.apply(this, [{ ...Object(fields), outage, ...added }, message]);
    if (outage === undefined) {
      method.apply(this, args);
      return;
    }
    const count = readCount(fields);
    const key = count === undefined ? outage : `${outage} ${String(message)}`;
    const open = windows.get(key);
    if (open !== undefined) {
      open.lines += 1;
      open.count += count ?? 0;
      return;
    }
    const openWindow = () => {
      const suppressed: Suppressed = { lines: 0, count: 0 };
      windows.set(key, suppressed);
      setTimeout(() => {
        windows.delete(key);
        if (suppressed.lines === 0) return;
        openWindow();
        write({ suppressed: suppressed.lines, ...(count === undefined ? {} : { count: suppressed.count }) });
      }, windowMs).unref();
    };
    openWindow();
    write({});
  };
}

function readOutage(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const outage: unknown = Reflect.get(Object(Reflect.get(fields, 'err')), 'outage');
  return typeof outage === 'string' ? outage : undefined;
}

function readCount(fields: unknown): number | undefined {
  const count: unknown = Reflect.get(Object(fields), 'count');
  return typeof count === 'number' ? count : undefined;
}
