import type { VNode } from 'preact';

import { useCell } from '../data/cell.ts';
import { Choices } from '../parts/choices.tsx';
import { Modal } from '../parts/modal.tsx';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';

/** Pages that are not in the navigation, and the account. */
export function Menu(): VNode {
  const { texts, session, open, useOther, signOut } = useClient();
  const { menu, navigation } = texts;
  const { displayName, username } = session.person;
  const proposals = useCell(session.proposals);
  const pages = [
    [paths.drafts, texts.drafts.title],
    [paths.bookmarks, texts.bookmarks.title],
    [paths.hashtags, texts.hashtags.title],
    [paths.filters, texts.filters.title],
    [paths.muted, texts.muted.title],
    [paths.blocked, texts.blocked.title],
    [paths.settings, menu.manage],
  ] as const;
  return (
    <Modal title={menu.title} closeLabel={menu.close} kind="menu" onClose={() => open(undefined)}>
      <p class="username">
        <bdi>{displayName}</bdi> · @{username}
      </p>
      <ul class="choices">
        {pages.map(([path, title]) => (
          <li key={path}>
            <a href={path} onClick={() => open(undefined)}>
              {title}
              {path === paths.drafts && proposals > 0 && <b class="badge">{proposals}</b>}
            </a>
          </li>
        ))}
      </ul>
      <Choices
        rows={[
          [navigation.shortcuts, () => open('keys')],
          [menu.add, useOther],
          [menu.signOut, signOut],
        ]}
      />
    </Modal>
  );
}
