import type { VNode } from 'preact';

import { LanguagePicker } from '../parts/language-picker.tsx';
import { Modal } from '../parts/modal.tsx';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';

/** Accounts, language, and what is elsewhere. */
export function Menu(): VNode {
  const { texts, language, speak, open, useOther, signOut } = useClient();
  const { menu, navigation } = texts;
  return (
    <Modal title={menu.title} closeLabel={menu.close} kind="menu" onClose={() => open(undefined)}>
      <p class="menu-actions">
        <button type="button" class="quiet" onClick={useOther}>
          {menu.add}
        </button>
        <button type="button" class="quiet" onClick={signOut}>
          {menu.signOut}
        </button>
      </p>
      <OwnPages />
      <h3>{menu.language}</h3>
      <LanguagePicker label={menu.language} language={language} speak={speak} />
      <p class="menu-actions">
        <a href="/account">{menu.manage}</a>
        <button type="button" class="link" onClick={() => open('keys')}>
          {navigation.shortcuts}
        </button>
      </p>
    </Modal>
  );
}

/** Pages that are not in the navigation. */
function OwnPages(): VNode {
  const { texts, open } = useClient();
  return (
    <p class="menu-actions">
      {(['bookmarks', 'filters', 'muted', 'blocked'] as const).map((page) => (
        <a key={page} class="button quiet" href={paths[page]} onClick={() => open(undefined)}>
          {texts[page].title}
        </a>
      ))}
    </p>
  );
}
