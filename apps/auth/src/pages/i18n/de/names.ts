const count = new Intl.NumberFormat('de');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'Hier ist ein Zeichen, das sich nicht anzeigen lässt. Entferne es.',
  errors: {
    unprintable: 'Der Name enthält ein Zeichen, das sich nicht anzeigen lässt. Entferne es.',
    'mixed-scripts':
      'Der Name mischt Schriften, die sich ähnlich sehen, zum Beispiel lateinische und kyrillische. Verwende nur eine davon.',
    badge: 'Entferne Häkchen und andere Zeichen einer Verifizierung aus dem Namen.',
    reserved: 'Diesen Namen könnte man für den Dienst oder seine Administration halten. Wähle einen anderen.',
    imitates: 'Dieser Name sieht einem verifizierten Namen zum Verwechseln ähnlich. Wähle einen anderen.',
    blocked: 'Dieser Name enthält ein Wort, das dieser Dienst nicht zulässt. Wähle einen anderen.',
  },
  changeEndsVerification:
    'Dein Konto ist unter seinen jetzigen Namen verifiziert. Wenn du einen davon änderst, entfällt das Zeichen für verifizierte Konten.',
  verification: 'Verifizierung',
  verified: 'Verifiziert',
  verifiedBy: (service: string) => `Von ${service} verifiziert`,
  notVerifiedBy: (service: string) => `Nicht von ${service} verifiziert`,
  applicationChangeEndsVerification:
    'Diese Anwendung ist verifiziert. Wenn du ihren Namen, ihr Logo oder ihre Website änderst, entfällt das Zeichen für verifizierte Anwendungen.',
  created: 'Angelegt',
  createdRecently: 'In den letzten 7 Tagen',
  usedBy: 'Genutzt von',
  fewPeople: 'Weniger als 10 Personen',
  minPeople: (people: number) => `Mindestens ${count.format(people)} Personen`,
};
