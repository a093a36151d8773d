import type { Messages } from '../i18n/messages.ts';
import { findBrowser } from '../http/user-agent.ts';

/** Such as "Firefox on Linux". */
export function describeBrowser({ account }: Messages, userAgent = ''): string {
  const { unknownBrowser, browserOn } = account.sessions;
  const found = findBrowser(userAgent);
  if (found === undefined) return unknownBrowser;
  return found.system === undefined ? found.browser : browserOn(found.browser, found.system);
}
