import type { Context } from 'koa';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';

export interface Around {
  /** Addresses of the neighboring pages. */
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
}

interface PagingProps extends Around {
  readonly frame: Frame;
  /** What the list contains. */
  readonly label: string;
}

/** Links to the neighboring pages of a list. */
export function Paging({ frame, label, newer, older }: PagingProps): VNode | null {
  const { followers: texts } = frame.messages.account;
  if (newer === undefined && older === undefined) return null;
  return (
    <nav class="actions" aria-label={label}>
      {newer === undefined ? null : (
        <a class="button quiet-button" href={newer} rel="prev">
          {texts.newer}
        </a>
      )}
      {older === undefined ? null : (
        <a class="button quiet-button" href={older} rel="next">
          {texts.older}
        </a>
      )}
    </nav>
  );
}

const pageSize = 20;

interface NumberedPage<Item> {
  readonly items: readonly Item[];
  readonly around: Around;
}

/** Reads the page `?page=` of a list, the first if it is missing or malformed. `find` may be asked for one item more. */
export async function readNumberedPage<Item>(
  ctx: Context,
  find: (part: { readonly limit: number; readonly offset: number }) => Promise<readonly Item[]>,
): Promise<NumberedPage<Item>> {
  const { page } = ctx.query;
  const number = typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
  const found = await find({ limit: pageSize + 1, offset: (number - 1) * pageSize });
  const addressOf = (other: number) => `${ctx.path}?page=${String(other)}`;
  const newer = number > 1 ? addressOf(number - 1) : undefined;
  const older = found.length > pageSize ? addressOf(number + 1) : undefined;
  return { items: found.slice(0, pageSize), around: { newer, older } };
}
