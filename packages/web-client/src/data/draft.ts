import type { Post } from '@linnet/sdk';
import { useState } from 'preact/hooks';

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
  /** The post that it quotes. */
  readonly quote: Post | undefined;
  readonly commenters: Post['commenters'];
  readonly sensitive: boolean;
  /** When it is published, as a field of times has it; empty: at once. */
  readonly publishAt: string;
  /** The same for every attempt to send this draft: if a response is lost, sending again creates no second post. */
  readonly key: string;
}

const [writerKey, textKey] = ['linnet-client-writer', 'linnet-client-text '];

/** The text of a form that is being written. */
const findWritten = (form: string) => sessionStorage.getItem(textKey + form) ?? undefined;

export const isWritten = (form: string) => findWritten(form) !== undefined;

function keepWritten(form: string, text: string): void {
  if (text === '') sessionStorage.removeItem(textKey + form);
  else sessionStorage.setItem(textKey + form, text);
}

/** Text of a form. It survives a reload, and signing in again; the initial text and an empty one are forgotten. */
export function useWritten(form: string, initial = ''): readonly [text: string, write: (text: string) => void] {
  const [text, setText] = useState(() => findWritten(form) ?? initial);
  const write = (changed: string) => {
    keepWritten(form, changed === initial ? '' : changed);
    setText(changed);
  };
  return [text, write];
}

/** Forgets what another person has written in this tab. Call it before anything is shown. */
export function writeAs(person: number): void {
  if (sessionStorage.getItem(writerKey) !== String(person)) forgetWritten();
  sessionStorage.setItem(writerKey, String(person));
  draft.set(emptyDraft(findWritten(newPost) ?? ''));
}

export function forgetWritten(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(textKey)) sessionStorage.removeItem(key);
}

const newPost = 'post';

const emptyDraft = (text: string): Draft => ({
  text,
  pictures: [],
  quote: undefined,
  commenters: 'everyone',
  sensitive: false,
  publishAt: '',
  key: crypto.randomUUID(),
});

const cell = createCell<Draft>(emptyDraft(''));

export const draft = {
  ...cell,
  /** Every change makes it another post. */
  change: (changes: Partial<Omit<Draft, 'key'>>) => {
    const next = { ...cell.get(), ...changes, key: crypto.randomUUID() };
    keepWritten(newPost, next.text);
    cell.set(next);
  },
  clear: () => {
    keepWritten(newPost, '');
    cell.set(emptyDraft(''));
  },
};
