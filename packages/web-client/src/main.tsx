import { render } from 'preact';

import { App } from './app.tsx';
import { chooseLanguage, loadTexts } from './i18n/languages.ts';
import { startRouter } from './router.ts';
import { showAppearance } from './session/appearance.ts';
import { arrive, createAccess, findSignedIn } from './session/sign-in.ts';
import { readSettings } from './settings.ts';

showAppearance();
const settings = readSettings();
const access = createAccess(settings);
const language = chooseLanguage();

const arrival = await arrive(access);
startRouter();
const start = { language, texts: await loadTexts(language) };
const notice = arrival === 'declined' || arrival === 'failed' ? arrival : undefined;
const person = await findSignedIn(access);
const hasSignedIn = arrival === 'signed-in';
const root = document.querySelector('#app');
if (root !== null) render(<App {...{ access, settings, start, notice, person, hasSignedIn }} />, root);

// The worker keeps the files of the client for use without a connection. It never touches tokens or the API.
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/home/worker.js', { scope: '/home' }).catch(() => undefined);
}
