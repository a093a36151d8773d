import { createApplication } from '@linnet/sdk';
import { render } from 'preact';

import { App } from './app.tsx';
import { chooseLanguage, loadTexts } from './i18n/languages.ts';
import { startRouter } from './router.ts';
import { createSignIn } from './session/sign-in.ts';
import { readSettings } from './settings.ts';
import { registerWorker } from './worker-registration.ts';

const settings = readSettings();
/** People watch the screen, so Warbler tells them about a long wait, such as after 429, instead of waiting silently. */
const timeLimitMs = 10_000;
const application = createApplication({ ...settings, timeLimitMs });
const signIn = createSignIn(settings);
const language = chooseLanguage();

const arrival = await signIn.arrive();
startRouter();
const start = { language, texts: await loadTexts(language) };
const notice = arrival === 'declined' || arrival === 'failed' ? arrival : undefined;
const root = document.querySelector('#app');
if (root !== null) render(<App {...{ application, signIn, settings, start, notice }} />, root);
registerWorker();
