/** Texts of the page of notifications, in French. */
export const notifications = {
  title: 'Notifications',
  intro: 'Choisissez ce que vous voulez savoir. Ce choix vaut dans toutes les applications.',
  legend: 'M’informer quand quelqu’un',
  kinds: {
    mention: 'me mentionne',
    reply: 'commente mes publications ou mes commentaires',
    like: 'aime mes publications',
    repost: 'partage mes publications',
    follow: 'me suit',
    follow_request: 'demande à me suivre',
    approved: 'accepte ma demande de suivi',
  },
  back: 'Ce que vous désactivez est masqué, pas perdu : tout revient dès que vous le réactivez.',
  save: 'Enregistrer',
  saved: 'Votre choix a été enregistré.',
};
