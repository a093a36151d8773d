/** Texts of the page of notifications, in German. */
export const notifications = {
  title: 'Mitteilungen',
  intro: 'Wähle, was du erfahren willst. Das gilt in jeder App.',
  legend: 'Teile mir mit, wenn jemand',
  kinds: {
    mention: 'mich erwähnt',
    reply: 'meine Beiträge oder Kommentare kommentiert',
    like: 'meine Beiträge mit „Gefällt mir“ markiert',
    repost: 'meine Beiträge teilt',
    follow: 'mir folgt',
    follow_request: 'mir folgen möchte',
    approved: 'meine Folgeanfrage annimmt',
  },
  back: 'Was du ausschaltest, wird nur ausgeblendet: Es ist wieder da, sobald du es einschaltest.',
  save: 'Speichern',
  saved: 'Deine Auswahl wurde gespeichert.',
};
