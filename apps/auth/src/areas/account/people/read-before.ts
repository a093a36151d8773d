import type { Context } from 'koa';

/** Reads `?before=`, the id below which a page of a list starts. Malformed ones count as absent. */
export function readBefore(ctx: Pick<Context, 'query'>): number | undefined {
  return parsePostId(ctx.query['before']);
}

/** Undefined if the value is no id. */
export function parsePostId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
