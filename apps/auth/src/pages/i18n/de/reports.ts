import type { Messages } from '../en/en.ts';
import type { RichText } from '../rich-text.ts';

export const reports: Messages['reports'] = {
  reasons: {
    spam: { label: 'Spam oder Betrug', text: 'Unerwünschte Werbung, Betrug, schädliche Links.' },
    harassment: { label: 'Belästigung', text: 'Beleidigungen, Bloßstellung, unerwünschte Kontaktversuche.' },
    hate: {
      label: 'Hass',
      text: 'Angriffe auf Menschen wegen Herkunft, Religion, Geschlecht, Orientierung oder Behinderung.',
    },
    violence: { label: 'Gewalt', text: 'Drohungen, Verherrlichung von Gewalt, Grausamkeit.' },
    sexual: {
      label: 'Sexuelle Inhalte',
      text: 'Sexuelle Bilder oder Texte, auch von Menschen, die nicht zugestimmt haben.',
    },
    impersonation: { label: 'Falsche Identität', text: 'Gibt sich als eine andere Person oder Organisation aus.' },
    self_harm: { label: 'Suizid oder Selbstverletzung', text: 'Jemand ist vielleicht in Gefahr oder ermutigt andere.' },
    illegal: { label: 'Rechtswidrig', text: 'Verstößt auf andere Weise gegen das Gesetz.' },
    other: { label: 'Etwas anderes', text: 'Beschreibe es unten.' },
  },
  form: {
    titles: {
      account: (name: RichText): RichText => [name, ' melden'],
      post: (name: RichText): RichText => ['Beitrag von ', name, ' melden'],
      comment: (name: RichText): RichText => ['Kommentar von ', name, ' melden'],
    },
    pageTitle: 'Melden',
    reason: 'Was stimmt nicht?',
    reasonHint: 'Wähle, was am besten passt.',
    text: 'Einzelheiten',
    textHint: 'Was sollten wir wissen? Bis zu 1000 Zeichen.',
    privacy:
      'Die Administration dieses Dienstes sieht deine Meldung und deinen Namen. Die gemeldete Person erfährt nichts davon.',
    danger: 'Wenn jemand in unmittelbarer Gefahr ist, rufe zuerst den Notruf an.',
    submit: 'Meldung senden',
    done: 'Danke. Wir haben deine Meldung erhalten und sehen sie uns an.',
    limited: 'Du hast heute viele Meldungen gesendet. Versuche es morgen noch einmal.',
    errors: { reason: 'Wähle aus, was nicht stimmt.', text: 'Die Einzelheiten dürfen höchstens 1000 Zeichen haben.' },
  },
  queue: {
    title: 'Meldungen',
    none: 'Keine offenen Meldungen.',
    orders: { most: 'Am häufigsten gemeldet', newest: 'Neueste' },
    subjects: {
      account: (name: RichText): RichText => ['Konto ', name],
      post: (name: RichText): RichText => ['Beitrag von ', name],
      comment: (name: RichText): RichText => ['Kommentar von ', name],
    },
    count: (count: number): string => (count === 1 ? '1 Meldung' : `${String(count)} Meldungen`),
    latest: (time: string) => `zuletzt gemeldet: ${time}`,
    first: 'Zuerst gemeldet',
    last: 'Zuletzt gemeldet',
    reasons: 'Gründe',
    account: 'Konto',
    subject: 'Gemeldet',
    gone: 'inzwischen gelöscht',
    show: 'Auf der öffentlichen Seite ansehen',
    content: 'Wie gemeldet',
    contentBefore: 'Damals stand dort:',
    sent: 'Meldungen',
    sentHint: 'Nur die Administration sieht, wer gemeldet hat.',
    erased: 'endgültig gelöschtes Konto',
    state: 'Zustand',
    states: {
      open: 'offen',
      dismissed: 'abgewiesen',
      deleted: 'erledigt: gelöscht',
      suspended: 'erledigt: Konto gesperrt',
    },
    resolve: 'Erledigen',
    actTexts: {
      dismissed: {
        label: 'Abweisen',
        text: 'Schließt alle Meldungen dazu. Nichts wird geändert oder gelöscht.',
        submit: 'Meldungen abweisen',
        done: 'Die Meldungen sind abgewiesen.',
      },
      deleted: {
        label: 'Löschen',
        text: 'Löscht es endgültig, wie es auch die Person könnte, die es geschrieben hat, und schließt alle Meldungen dazu.',
        submit: 'Löschen und schließen',
        done: 'Es ist gelöscht, und die Meldungen sind geschlossen.',
      },
      suspended: {
        label: 'Konto sperren',
        text: 'Verhindert die Anmeldung, beendet alle Sitzungen und Tokens und schließt alle Meldungen dazu. Niemand sonst sieht das Konto und seine Beiträge, bis es wiederhergestellt wird.',
        submit: 'Konto sperren und schließen',
        done: 'Das Konto ist gesperrt, und die Meldungen sind geschlossen.',
      },
    },
  },
};
