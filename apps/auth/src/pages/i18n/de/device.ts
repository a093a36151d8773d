import type { RichText } from '../rich-text.ts';

/** Texts of the device page, in German. */
export const device = {
  title: 'Gerät verbinden',
  userCode: 'Code',
  userCodeHint: 'Acht Buchstaben, die das Gerät oder Programm anzeigt, zum Beispiel WDJB-MJHT.',
  submit: 'Weiter',
  unknown: 'Mit diesem Code wartet kein Gerät. Prüfe ihn oder lass dir einen neuen geben: Codes gelten zehn Minuten.',
  throttled: 'Zu viele falsche Codes. Bitte warte einige Minuten und versuch es dann noch einmal.',
  heading: (application: RichText): RichText => [application, ' möchte auf einem anderen Gerät dein Konto verwenden'],
  compare: (code: RichText): RichText => [
    'Mach nur weiter, wenn du selbst damit begonnen hast und das Gerät vor dir ',
    code,
    ' anzeigt. Hat dir jemand den Code oder einen Link geschickt, lehne ab.',
  ],
  allowed: 'Das Gerät ist verbunden. Du kannst zu ihm zurückkehren.',
  denied: 'Das Gerät wurde abgelehnt. Es erhält keinen Zugriff.',
};
