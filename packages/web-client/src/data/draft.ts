import type { Post } from '@linnet/sdk';

import { createCell } from './cell.ts';

/** In code points, as the API counts them. */
export const maxPostLength = 400;
/** As many as a post can have. */
export const maxPictures = 4;

export interface DraftPicture {
  readonly file: File;
  /** What it shows, in words. */
  readonly alt: string;
}

/** A post that is being written. It survives a reload, and signing in again. */
export interface Draft {
  readonly text: string;
  readonly pictures: readonly DraftPicture[];
  readonly commenters: Post['commenters'];
  readonly sensitive: boolean;
  /** The same for every attempt to send this draft: if a response is lost, sending again creates no second post. */
  readonly key: string;
}

const storageKey = 'linnet-client-draft';

const emptyDraft = (text: string): Draft => ({
  text,
  pictures: [],
  commenters: 'everyone',
  sensitive: false,
  key: crypto.randomUUID(),
});

const cell = createCell<Draft>(emptyDraft(sessionStorage.getItem(storageKey) ?? ''));

export const draft = {
  ...cell,
  /** Every change makes it another post. */
  change: (changes: Partial<Omit<Draft, 'key'>>) => {
    const next = { ...cell.get(), ...changes, key: crypto.randomUUID() };
    sessionStorage.setItem(storageKey, next.text);
    cell.set(next);
  },
  clear: () => {
    sessionStorage.removeItem(storageKey);
    cell.set(emptyDraft(''));
  },
};
