import type { VNode } from 'preact';

import { useClient } from './client.ts';
import type { Dialog } from './client.ts';
import { Modal } from './parts/modal.tsx';
import { navigate, paths } from './router.ts';

interface KeyActions {
  readonly open: (dialog: Dialog) => void;
}

/** Single keys, as in other clients. They do nothing while the person writes or a dialog is open. */
export function listenToKeys({ open }: KeyActions): () => void {
  const acts: Readonly<Record<string, () => void>> = {
    j: () => movePost(1),
    k: () => movePost(-1),
    o: () => navigateTo(focusedPost()),
    l: () => press(focusedPost(), '.action.like'),
    r: () => press(focusedPost(), '.action.repost'),
    b: () => press(focusedPost(), '.action.bookmark'),
    m: () => press(focusedPost(), '.action.more-actions'),
    t: () => press(focusedPost(), '.text .hashtag'),
    n: () => open('compose'),
    h: () => navigate(paths.feed),
    '.': () => press(document.body, '[data-key=newer]'),
    '?': () => open('keys'),
  };
  const listener = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    const act = acts[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}

function isWriting(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

function focusedPost(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-post]') ?? undefined;
}

/** Moves the focus by one post; begins with the first that is visible. */
function movePost(step: 1 | -1): void {
  const posts = [...document.querySelectorAll<HTMLElement>('[data-post]')];
  const current = focusedPost();
  const visible = posts.findIndex((post) => post.getBoundingClientRect().bottom > 0);
  const next = current === undefined ? posts[visible] : posts[posts.indexOf(current) + step];
  next?.focus();
  next?.scrollIntoView({ block: 'center' });
}

function navigateTo(post: HTMLElement | undefined): void {
  const path = post?.dataset['href'];
  if (path !== undefined) navigate(path);
}

function press(within: HTMLElement | undefined, selector: string): void {
  within?.querySelector<HTMLElement>(selector)?.click();
}

/** The list of all keys. */
export function KeysHelp(): VNode {
  const { texts, open } = useClient();
  const { keys } = texts;
  const rows = [
    ['J', keys.next],
    ['K', keys.previous],
    ['O', keys.open],
    ['L', keys.like],
    ['R', keys.repost],
    ['B', keys.bookmark],
    ['M', keys.more],
    ['T', keys.hashtag],
    ['N', keys.compose],
    ['.', keys.newer],
    ['H', keys.home],
    ['?', keys.help],
  ] as const;
  return (
    <Modal title={keys.title} closeLabel={keys.close} kind="keys" onClose={() => open(undefined)}>
      <dl class="keys">
        {rows.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
