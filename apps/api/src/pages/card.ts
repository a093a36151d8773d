import { createHash } from 'node:crypto';

import type { Account, Post } from '@linnet/contract/objects';
import { parseMediaPath } from '@linnet/media/media-address';
import { drawDefaultAvatar } from '@linnet/social/account/account-view';
import { printableText } from '@linnet/ui/inert-text';

/** The card of a page without one of its own, and of protected accounts. */
export const generalCardPath = '/p/card.png';

/** Code points. What is longer does not fit on a card. */
const [maxName, maxText] = [60, 240];

/** What a card shows of a person or of their post; see `CardContent`. */
export interface PersonCard {
  readonly person: {
    readonly name: string;
    readonly username: string;
    readonly text: string;
    readonly isPost: boolean;
    readonly avatarSvg?: string | undefined;
  };
  /** Name of the media whose thumbnail is the picture. */
  readonly media?: string | undefined;
}

/** The card of a profile. */
export function toProfileCard(account: Account): PersonCard {
  return toCard(account, { text: account.description, isPost: false });
}

/** The card of a post. */
export function toPostCard({ user, text }: Pick<Post, 'user' | 'text'>): PersonCard {
  return toCard(user, { text, isPost: true });
}

function toCard(account: Account, { text, isPost }: { readonly text: string; readonly isPost: boolean }): PersonCard {
  const pathname = account.avatar.replace(/^https?:\/\/[^/]+/, '');
  const [name, shown] = [cut(account.displayName, maxName), cut(text, maxText)];
  const person = { name, username: account.username, text: shown, isPost, avatarSvg: drawDefaultAvatar(pathname) };
  return { person, media: parseMediaPath(pathname)?.name };
}

function cut(text: string, max: number): string {
  const characters = [...printableText(text.replaceAll(/\s+/g, ' ').trim())];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('');
}

/** Stands for everything that the card shows, so that sites that have an old card ask for the new one. */
export function cardVersion(card: PersonCard): string {
  return createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 16);
}

/** The address of the card of the page at `link`. */
export function cardAddress(link: string, card: PersonCard): string {
  return `${link}.png?v=${cardVersion(card)}`;
}
