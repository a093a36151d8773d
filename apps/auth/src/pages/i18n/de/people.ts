import type { Messages } from '../en/en.ts';
import type { RichText } from '../text-types.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post, in German. */
export const people = {
  verified: 'Verifiziertes Konto',
  pictureOf: (name: string) => `Bild aus einem Beitrag von ${name}`,
  edited: (time: string) => `Bearbeitet: ${time}`,
  imported: 'importiert',
  showSensitive: 'Sensibles Bild anzeigen',
  hideSensitive: 'Bild ausblenden',
  quoteGone: 'Der zitierte Beitrag ist nicht verfügbar.',
  followersComment: 'Follower und erwähnte Konten können kommentieren.',
  mentionedComment: 'Nur erwähnte Konten können kommentieren.',
  likeLabel: () => 'Gefällt mir',
  commentLabel: (count: number) => (count === 1 ? 'Kommentar' : 'Kommentare'),
  repostLabel: () => 'Geteilt',
  postLabel: (count: number) => (count === 1 ? 'Beitrag' : 'Beiträge'),
  followerLabel: () => 'Follower',
  following: 'Folgt',
  throttled: 'Das war zu oft hintereinander. Warte eine Minute und versuche es dann noch einmal.',
  publicProfile: 'Öffentliches Profil',
  posts: {
    title: 'Beiträge',
    none: 'Noch keine Beiträge.',
    noMore: 'Es gibt keine älteren Beiträge.',
    older: 'Ältere Beiträge',
    newest: 'Neueste Beiträge',
  },
  comments: {
    title: 'Kommentare',
    none: 'Noch keine Kommentare.',
    noMore: 'Es gibt keine neueren Kommentare.',
    next: 'Neuere Kommentare',
    first: 'Erste Kommentare',
  },
  follow: {
    title: (name: RichText): RichText => [name, ' folgen'],
    openText: 'Die Beiträge erscheinen im Feed der Apps, die du verbindest.',
    blocking: 'Du blockierst dieses Konto und kannst ihm deshalb nicht folgen.',
    blocked: 'Dieses Konto blockiert dich. Du kannst ihm deshalb nicht folgen.',
    protectedText:
      'Nur bestätigte Follower sehen die Beiträge dieses Kontos. Deine Anfrage kann angenommen oder abgelehnt werden.',
    states: { following: 'Du folgst diesem Konto', requested: 'Anfrage ausstehend', followsYou: 'Folgt dir' },
    actions: {
      follow: 'Folgen',
      request: 'Anfrage senden',
      unfollow: 'Nicht mehr folgen',
      withdraw: 'Anfrage zurückziehen',
    },
    done: {
      followed: 'Du folgst diesem Konto jetzt.',
      requested: 'Die Anfrage wurde gesendet. Du siehst die Beiträge, sobald sie angenommen wird.',
      unfollowed: 'Du folgst diesem Konto nicht mehr.',
      withdrawn: 'Die Anfrage wurde zurückgezogen.',
    },
  },
  reply: {
    title: (name: RichText): RichText => ['Beitrag von ', name, ' kommentieren'],
    field: 'Dein Kommentar',
    hint: 'Höchstens 1000 Zeichen.',
    everyone: 'Alle können deinen Kommentar lesen, mit deinem Namen und Bild.',
    followersOnly: 'Nur bestätigte Follower dieses Kontos sehen den Beitrag und deinen Kommentar.',
    restricted: {
      followers:
        'Du kannst diesen Beitrag nicht kommentieren. Das dürfen nur Follower des Kontos und im Beitrag erwähnte Konten.',
      mentioned: 'Du kannst diesen Beitrag nicht kommentieren. Das dürfen nur im Beitrag erwähnte Konten.',
    },
    submit: 'Kommentar veröffentlichen',
    done: 'Der Kommentar wurde veröffentlicht.',
    errors: {
      missing: 'Schreibe einen Kommentar.',
      wrong: 'Der Kommentar darf höchstens 1000 Zeichen haben.',
    },
  },
  own: {
    openText: 'Alle können deine Beiträge sehen. Zum Schreiben nutzt du eine verbundene App.',
    protectedText:
      'Nur deine Follower sehen deine Beiträge. Sie stehen nicht auf deinem öffentlichen Profil, und diese Seite siehst nur du.',
    change: 'Ändern, wer sie sieht',
  },
};

/** Texts of the page of word filters, mutes and blocks, in German. */
export const hidden = {
  title: 'Stummschalten und blockieren',
  intro: 'Entscheide, was du siehst. Das gilt in jeder App.',
  until: (time: string) => `Bis ${time}`,
  username: 'Benutzername',
  usernameHint: 'Zum Beispiel @ada_lovelace.',
  ends: 'Endet',
  endings: { never: 'Nie', day: 'In einem Tag', week: 'In einer Woche', month: 'In 30 Tagen' },
  actions: { removeFilter: 'Entfernen', unmute: 'Nicht mehr stummschalten', unblock: 'Nicht mehr blockieren' },
  filters: {
    title: 'Gefilterte Wörter',
    text: 'Apps, die das unterstützen, verbergen Beiträge und Kommentare mit diesen Wörtern, bis du sie öffnest, und benachrichtigen dich nicht darüber.',
    none: 'Keine gefilterten Wörter.',
    field: 'Wort oder Wortfolge',
    hint: 'Höchstens 100 Zeichen. Groß- und Kleinschreibung und Akzente sind egal.',
    word: 'Nur ganze Wörter',
    part: 'Auch innerhalb von Wörtern',
    submit: 'Filter hinzufügen',
    full: 'Du hast 100 Filter. Entferne einen, um einen anderen hinzuzufügen.',
  },
  muted: {
    title: 'Stummgeschaltete Konten',
    text: 'Du siehst ihre Beiträge nicht in deinem Feed und bekommst keine Mitteilungen über sie. Sie erfahren nichts davon.',
    none: 'Du hast niemanden stummgeschaltet.',
    submit: 'Konto stummschalten',
  },
  blocked: {
    title: 'Blockierte Konten',
    text: 'Ihr seht einander nicht und folgt einander nicht mehr. Wenn du die Blockierung aufhebst, folgt ihr einander nicht von selbst wieder.',
    none: 'Du hast niemanden blockiert.',
    submit: 'Konto blockieren',
  },
  done: {
    filterAdded: 'Der Filter wurde hinzugefügt.',
    filterRemoved: 'Der Filter wurde entfernt.',
    muted: 'Das Konto ist stummgeschaltet.',
    unmuted: 'Das Konto ist nicht mehr stummgeschaltet.',
    blocked: 'Das Konto ist blockiert.',
    unblocked: 'Das Konto ist nicht mehr blockiert.',
  },
  errors: {
    text: 'Gib ein Wort oder eine Wortfolge mit höchstens 100 Zeichen ein, mit einem Buchstaben oder einer Ziffer.',
    unknown: 'Kein Konto hat diesen Benutzernamen.',
    own: 'Du kannst dein eigenes Konto nicht stummschalten oder blockieren.',
  },
};

export const invitations: Messages['invitations'] = {
  title: 'Einladungen',
  intro: 'Mit deinem Link können sich Leute, die du kennst, registrieren, ohne auf die Administration zu warten.',
  note: 'Notiz',
  noteHint: 'Für dich, zum Beispiel für wen der Link ist. Die Administration kann sie lesen.',
  uses: 'Anzahl der Personen',
  usesHint: (most) => `Wie viele Personen sich mit dem Link registrieren können, höchstens ${String(most)}.`,
  days: 'Läuft ab',
  inDays: (days) => (days === 1 ? 'In einem Tag' : `In ${String(days)} Tagen`),
  limit: (most) =>
    `Du kannst ${String(most)} aktive Links zugleich haben. Die Administration sieht, wen du eingeladen hast. Ein neues Passwort und das Abmelden überall beenden deine Links.`,
  submit: 'Link erstellen',
  created: 'Der Link ist fertig. Kopiere ihn jetzt: Er wird nur einmal angezeigt.',
  listTitle: 'Deine Links',
  none: 'Du hast in den letzten 30 Tagen niemanden eingeladen.',
  unnamed: (day) => `Link vom ${day}`,
  over: 'Beendet',
  used: (uses, most) => `${String(uses)} von ${String(most)} Mal benutzt`,
  until: (time) => `bis ${time}`,
  end: 'Link beenden',
  ended: 'Der Link ist beendet. Niemand kann sich mehr damit registrieren.',
  problems: {
    full: (most) => `Du hast ${String(most)} aktive Links. Beende einen, um einen neuen zu erstellen.`,
    throttled: () => 'Du hast heute viele Links erstellt. Versuche es morgen wieder.',
  },
  errors: {
    note: (most) => `Die Notiz muss eine Zeile aus sichtbaren Zeichen sein, höchstens ${String(most)}.`,
    uses: (most) => `Gib eine Zahl von 1 bis ${String(most)} ein.`,
  },
};

export const imports: Messages['imports'] = {
  title: 'Beiträge importieren',
  intro:
    'Bring deine Beiträge von einem anderen Linnet-Server, von Mastodon oder von Bluesky mit: Exportiere sie dort und wähle die Datei hier aus. Sie erscheinen mit ihrem Datum, und niemand wird benachrichtigt.',
  bluesky:
    'Die Datei von Bluesky, repo.car, enthält keine Bilder. Um auch sie mitzubringen, lade sie mit einem Programm wie goat herunter, behalte ihre Namen und wähle eine ZIP-Datei mit repo.car und den Bildern aus.',
  file: 'Datei',
  fileHint: (megabytes, items) => `Höchstens ${String(megabytes)} MB und ${items} Beiträge und Kommentare.`,
  passwordHint: 'Damit niemand in deinem Namen schreibt, wenn du einen Browser offen gelassen hast.',
  submit: 'Importieren',
  started: 'Der Import läuft.',
  reload: 'Lade diese Seite neu, um zu sehen, wie weit er ist.',
  undone: 'Die importierten Beiträge werden gelöscht.',
  listTitle: 'Deine Importe',
  none: 'Noch nichts importiert.',
  states: {
    running: 'Läuft. Du kannst diese Seite schließen.',
    undoing: 'Die Beiträge werden gelöscht.',
    finished: 'Fertig.',
    failed: 'Fehlgeschlagen.',
    undone: 'Rückgängig gemacht.',
  },
  stored: (posts, comments, pictures) =>
    `Beiträge: ${String(posts)} · Kommentare: ${String(comments)} · Bilder: ${String(pictures)}`,
  failures: {
    interrupted: 'Die Datei ging verloren. Sende dieselbe Datei noch einmal, dann geht es weiter.',
    fault:
      'Der Dienst konnte nicht weitermachen. Sende dieselbe Datei noch einmal; schlägt es wieder fehl, schreibe dem Betreiber.',
    'account-gone': 'Dein Konto konnte nichts mehr veröffentlichen.',
    damaged: 'Die Datei ließ sich nicht mehr lesen. Sende sie noch einmal, dann geht es weiter.',
  },
  leftOut: 'Ausgelassen:',
  reasons: {
    text: 'leere oder zu lange Texte',
    date: 'unmögliche Daten',
    comments: 'Kommentare zu fremden Beiträgen',
    quotes: 'Zitate in Beiträgen, die sonst erhalten sind',
    pictures: 'fehlende oder unlesbare Bilder',
    history: 'frühere Fassungen',
    private: 'nicht öffentliche Beiträge',
    polls: 'Umfragen und andere Arten',
    reposts: 'geteilte Beiträge',
    likes: '„Gefällt mir“-Angaben',
    bookmarks: 'Lesezeichen',
    follows: 'Konten, denen du folgst',
  },
  undo: 'Rückgängig machen',
  undoHint: 'Löscht, was mit dieser Datei kam. Einen Tag lang möglich.',
  problems: {
    missing: 'Wähle eine Datei aus.',
    'too-large': 'Die Datei oder eine Datei darin ist zu groß.',
    'not-an-archive': 'Das ist weder eine ZIP- noch eine CAR- oder .tar.gz-Datei.',
    'unknown-files': 'Das ist kein Export von Linnet, Mastodon oder Bluesky.',
    damaged: 'Die Datei ist beschädigt.',
    'too-many-posts': 'Die Datei hat zu viele Beiträge.',
    'account-gone': 'Dein Konto kann zurzeit nichts veröffentlichen.',
    'one-at-a-time': 'Ein anderer Import läuft noch. Warte, bis er fertig ist.',
    'too-many': 'Du hast heute zehn Dateien hochgeladen. Versuche es morgen wieder.',
    busy: 'Zurzeit importieren viele Leute. Versuche es später wieder.',
  },
};
