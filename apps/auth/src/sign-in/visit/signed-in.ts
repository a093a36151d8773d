import type { BrowserSession } from '../../protocol/session/session.ts';
import type { Frame, Viewer } from '../../pages/views/frame.ts';

/** Somebody who is signed in, and the frame of the page for them. */
export interface SignedIn {
  readonly session: BrowserSession;
  readonly viewer: Viewer;
  readonly frame: Frame;
}
