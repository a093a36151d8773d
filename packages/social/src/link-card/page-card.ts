import type { Db } from '@linnet/db/database';
import { DecoderBusy, ImageRefused } from '@linnet/media/decode/decoder';
import { FetchFailed, FileTooLarge } from '@linnet/media/fetch/fetch-target';
import type { FetchedPage } from '@linnet/media/fetch/http-get';
import type { LinkFetcher } from '@linnet/media/media';
import type { ReceivedImage } from '@linnet/media/uploads';
import { Parser } from 'htmlparser2';

import { claimCard, storeCard } from './link-card-store.ts';
import type { PageWords } from './link-card-store.ts';

const atOnce = 4;

/** Fetches the pages that are due. @throws the error of the database or of the disk */
export async function fetchCards(db: Db, links: LinkFetcher, stopping: AbortSignal): Promise<void> {
  const stop = () => links[Symbol.dispose]();
  stopping.addEventListener('abort', stop, { once: true });
  // A slow page holds up nothing but itself.
  const fetchOneByOne = async () => {
    for (let card = await claimCard(db); card !== undefined && !stopping.aborted; card = await claimCard(db)) {
      await fetchCard(db, links, card);
    }
  };
  try {
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, fetchOneByOne));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}

async function fetchCard(db: Db, links: LinkFetcher, { id, url }: { readonly id: string; readonly url: string }) {
  const page = await links.fetchPage(url).catch(ignoreFailure);
  const found = page && describePage(page);
  if (found === undefined) return;
  const { image, ...words } = found;
  const picture = image === undefined ? undefined : await fetchPicture(links, image);
  await storeCard(db, { id, ...words, picture });
}

async function fetchPicture(links: LinkFetcher, address: string): Promise<ReceivedImage | undefined> {
  return await links.fetchPicture(address).catch(ignoreFailure);
}

const failures = [FetchFailed, FileTooLarge, ImageRefused, DecoderBusy];

/** Pages of others fail in many ways, which concern nobody here. @throws the error, if it is another one */
function ignoreFailure(error: unknown): undefined {
  if (!failures.some((Failure) => error instanceof Failure)) throw error;
}

interface PageDescription extends PageWords {
  /** The address of its picture, and what that shows. */
  readonly image: string | undefined;
  readonly alt: string;
}

/** In code points. */
const maxLengths = { title: 300, words: 600, siteName: 100 };

/**
 * Reads Open Graph, with the tags of Twitter, `<title>` and the meta description in place of what is missing. `undefined`: the page has no
 * title.
 */
function describePage(page: FetchedPage): PageDescription | undefined {
  const tags = readTags(decode(page));
  const first = (...names: readonly string[]) => names.map((name) => tags.get(name)).find((text) => text !== undefined);
  const title = shorten(first('og:title', 'twitter:title', 'title'), maxLengths.title);
  if (title === '') return undefined;
  const image = first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src');
  return {
    title,
    description: shorten(first('og:description', 'twitter:description', 'description'), maxLengths.words),
    siteName: shorten(first('og:site_name', 'application-name'), maxLengths.siteName),
    image: image !== undefined && URL.canParse(image, page.url) ? new URL(image, page.url).href : undefined,
    alt: shorten(first('og:image:alt', 'twitter:image:alt'), maxLengths.words),
  };
}

/** One line without control characters. */
function shorten(text = '', maxLength: number): string {
  const words = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const points = [...words.slice(0, 2 * maxLength + 2)];
  return points.length <= maxLength
    ? words
    : `${points
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}

/** The first value of each meta tag that is not empty, by its name in lower case; of the title, `title`. */
function readTags(html: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  const keep = (name: string, text: string) => {
    if (!tags.has(name) && text.trim() !== '') tags.set(name, text);
  };
  let title: string | undefined;
  const parser = new Parser({
    onopentag: (element, { property, name, content = '' }) => {
      if (element === 'title') title = '';
      if (element === 'meta') keep((property ?? name ?? '').trim().toLowerCase(), content);
    },
    ontext: (text) => {
      if (title !== undefined) title += text;
    },
    onclosetag: (element) => {
      if (element !== 'title') return;
      keep('title', title ?? '');
      title = undefined;
    },
  });
  parser.end(html);
  return tags;
}

/** Where a page without a charset in its header says it, within its first 1024 bytes (HTML Standard, 13.2.3.2). */
const declared = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i;
const bytesToPrescan = 1024;

function decode({ type, body }: FetchedPage): string {
  const beginning = body.subarray(0, bytesToPrescan).toString('latin1');
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(type)?.[1] ?? declared.exec(beginning)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // It is no charset that browsers know.
    return new TextDecoder().decode(body);
  }
}
