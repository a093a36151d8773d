// Recorded by `pnpm openapi` from a running service. Do not edit.
import type { RecordedExamples } from '../openapi/recorded-calls.ts';

export const recordedExamples: RecordedExamples = {
  "calls": {
    "authRegister": [
      {
        "title": "Success",
        "request": {
          "first_name": "Grace",
          "last_name": "Hopper",
          "email": "grace@example.org",
          "password": "correct horse"
        },
        "response": {
          "message": "succeeded",
          "user": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761951232,
            "username": "grace_hopper",
            "displayName": "Grace Hopper",
            "name": {
              "first_name": "Grace",
              "last_name": "Hopper"
            },
            "description": "",
            "country": "",
            "link": "https://linnet.example/@grace_hopper",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 0
            }
          }
        }
      }
    ],
    "authIsEmail": [
      {
        "title": "Success",
        "request": {
          "email": "grace@example.org"
        },
        "response": {
          "response": 1
        }
      }
    ],
    "authIsEmailByPost": [
      {
        "title": "Success",
        "request": {
          "email": "grace@example.org"
        },
        "response": {
          "response": 1
        }
      }
    ],
    "accountCheckUsername": [
      {
        "title": "Success",
        "request": {
          "username": "grace_hopper"
        },
        "response": {
          "response": {
            "status": 1
          }
        }
      }
    ],
    "mediaUpload": [
      {
        "title": "Success",
        "request": {
          "media": "http://images.example.org/engine.png",
          "alt": "Wheels of brass in a wooden frame"
        },
        "response": {
          "status": "succeeded",
          "finally": {
            "media_id": 114582761959424,
            "media_id_string": "114582761959424",
            "size": 48213,
            "image_type": "image/png",
            "alt": "Wheels of brass in a wooden frame",
            "width": 30,
            "height": 20,
            "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
          }
        }
      }
    ],
    "postCreate": [
      {
        "title": "A post",
        "request": {
          "message": "Hello #Linnet, hello @grace_hopper"
        },
        "response": {
          "status": "succeeded",
          "message": "The post was created.",
          "items": {
            "id": 114582761967616,
            "text": "Hello #Linnet, hello @grace_hopper",
            "created": "Fri, Nov 20, 2026 3:09 PM",
            "created_at": "2026-11-20T15:09:05.123Z",
            "link": "https://linnet.example/p/114582761967616",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 1
              }
            },
            "media": {
              "image": null,
              "files": []
            },
            "attachments": [],
            "hashtags": [
              {
                "text": "Linnet",
                "indices": [
                  6,
                  13
                ]
              }
            ],
            "urls": [],
            "user_definition": [
              {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 0
                }
              }
            ],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      },
      {
        "title": "A post with pictures",
        "request": {
          "message": "The engine, at last",
          "attachments": [
            114582761959424,
            114582761963520
          ]
        },
        "response": {
          "status": "succeeded",
          "message": "The post was created.",
          "items": {
            "id": 114582761971712,
            "text": "The engine, at last",
            "created": "Fri, Nov 20, 2026 3:10 PM",
            "created_at": "2026-11-20T15:10:05.123Z",
            "link": "https://linnet.example/p/114582761971712",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              }
            },
            "media": {
              "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
              "files": [
                {
                  "name": "00005eef00005eef00005eef00005eef.png",
                  "filesize": 48213,
                  "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png"
                }
              ]
            },
            "attachments": [
              {
                "id": 114582761959424,
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                "thumbnail": "https://linnet.example/media/thumb/00005eef00005eef00005eef00005eef.png",
                "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png",
                "alt": "Wheels of brass in a wooden frame",
                "width": 30,
                "height": 20,
                "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
              },
              {
                "id": 114582761963520,
                "image": "https://linnet.example/media/display/00005ef000005ef000005ef000005ef0.png",
                "thumbnail": "https://linnet.example/media/thumb/00005ef000005ef000005ef000005ef0.png",
                "download": "https://linnet.example/media/00005ef000005ef000005ef000005ef0.png",
                "alt": "",
                "width": 30,
                "height": 20,
                "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
              }
            ],
            "hashtags": [],
            "urls": [],
            "user_definition": [],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "postSettingsUpdate": [
      {
        "title": "Success",
        "request": {
          "id": 114582761971712,
          "commenters": "mentioned",
          "sensitive": true
        },
        "response": {
          "status": "succeeded",
          "message": "The settings were changed.",
          "items": {
            "id": 114582761971712,
            "text": "The engine, at last",
            "created": "Fri, Nov 20, 2026 3:10 PM",
            "created_at": "2026-11-20T15:10:05.123Z",
            "link": "https://linnet.example/p/114582761971712",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              }
            },
            "media": {
              "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
              "files": [
                {
                  "name": "00005eef00005eef00005eef00005eef.png",
                  "filesize": 48213,
                  "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png"
                }
              ]
            },
            "attachments": [
              {
                "id": 114582761959424,
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                "thumbnail": "https://linnet.example/media/thumb/00005eef00005eef00005eef00005eef.png",
                "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png",
                "alt": "Wheels of brass in a wooden frame",
                "width": 30,
                "height": 20,
                "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
              },
              {
                "id": 114582761963520,
                "image": "https://linnet.example/media/display/00005ef000005ef000005ef000005ef0.png",
                "thumbnail": "https://linnet.example/media/thumb/00005ef000005ef000005ef000005ef0.png",
                "download": "https://linnet.example/media/00005ef000005ef000005ef000005ef0.png",
                "alt": "",
                "width": 30,
                "height": 20,
                "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
              }
            ],
            "hashtags": [],
            "urls": [],
            "user_definition": [],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "mentioned",
            "sensitive": 1,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "postCreateByGet": [
      {
        "title": "Success",
        "request": {
          "message": "Hello by GET"
        },
        "response": {
          "status": "succeeded",
          "message": "The post was created.",
          "items": {
            "id": 114582761975808,
            "text": "Hello by GET",
            "created": "Fri, Nov 20, 2026 3:11 PM",
            "created_at": "2026-11-20T15:11:05.123Z",
            "link": "https://linnet.example/p/114582761975808",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 3
              }
            },
            "media": {
              "image": null,
              "files": []
            },
            "attachments": [],
            "hashtags": [],
            "urls": [],
            "user_definition": [],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "postShow": [
      {
        "title": "Success",
        "request": {
          "id": 114582761967616
        },
        "response": {
          "items": {
            "id": 114582761967616,
            "text": "Hello #Linnet, hello @grace_hopper",
            "created": "Fri, Nov 20, 2026 3:09 PM",
            "created_at": "2026-11-20T15:09:05.123Z",
            "link": "https://linnet.example/p/114582761967616",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 3
              }
            },
            "media": {
              "image": null,
              "files": []
            },
            "attachments": [],
            "hashtags": [
              {
                "text": "Linnet",
                "indices": [
                  6,
                  13
                ]
              }
            ],
            "urls": [],
            "user_definition": [
              {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 0
                }
              }
            ],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "postLookup": [
      {
        "title": "Success",
        "request": {
          "id": [
            114582761967616,
            1
          ]
        },
        "response": {
          "count": 1,
          "items": [
            {
              "id": 114582761967616,
              "text": "Hello #Linnet, hello @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z",
              "link": "https://linnet.example/p/114582761967616",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 3
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "Linnet",
                  "indices": [
                    6,
                    13
                  ]
                }
              ],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 0
                  }
                }
              ],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "missing": [
            {
              "objectType": "post",
              "id": 1
            }
          ]
        }
      }
    ],
    "postList": [
      {
        "title": "Success",
        "request": {
          "user_id": 114582761947136,
          "count": 2
        },
        "response": {
          "total": 3,
          "count": 2,
          "items": [
            {
              "id": 114582761975808,
              "text": "Hello by GET",
              "created": "Fri, Nov 20, 2026 3:11 PM",
              "created_at": "2026-11-20T15:11:05.123Z",
              "link": "https://linnet.example/p/114582761975808",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 3
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            },
            {
              "id": 114582761971712,
              "text": "The engine, at last",
              "created": "Fri, Nov 20, 2026 3:10 PM",
              "created_at": "2026-11-20T15:10:05.123Z",
              "link": "https://linnet.example/p/114582761971712",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 3
                }
              },
              "media": {
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                "files": [
                  {
                    "name": "00005eef00005eef00005eef00005eef.png",
                    "filesize": 48213,
                    "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png"
                  }
                ]
              },
              "attachments": [
                {
                  "id": 114582761959424,
                  "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                  "thumbnail": "https://linnet.example/media/thumb/00005eef00005eef00005eef00005eef.png",
                  "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png",
                  "alt": "Wheels of brass in a wooden frame",
                  "width": 30,
                  "height": 20,
                  "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
                },
                {
                  "id": 114582761963520,
                  "image": "https://linnet.example/media/display/00005ef000005ef000005ef000005ef0.png",
                  "thumbnail": "https://linnet.example/media/thumb/00005ef000005ef000005ef000005ef0.png",
                  "download": "https://linnet.example/media/00005ef000005ef000005ef000005ef0.png",
                  "alt": "",
                  "width": 30,
                  "height": 20,
                  "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
                }
              ],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "mentioned",
              "sensitive": 1,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "next": "b2xkZXIgMTE0NTgyNzYxOTcxNzEy",
          "prev": "bmV3ZXIgMTE0NTgyNzYxOTc1ODA4"
        }
      }
    ],
    "postEdit": [
      {
        "title": "Success",
        "request": {
          "id": 114582761979904,
          "message": "The engine, at last"
        },
        "response": {
          "status": "succeeded",
          "message": "The post was edited.",
          "items": {
            "id": 114582761979904,
            "text": "The engine, at last",
            "created": "Fri, Nov 20, 2026 3:12 PM",
            "created_at": "2026-11-20T15:12:05.123Z",
            "edited": "Sat, Nov 21, 2026 3:12 PM",
            "edited_at": "2026-11-21T15:12:05.123Z",
            "link": "https://linnet.example/p/114582761979904",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 4
              }
            },
            "media": {
              "image": null,
              "files": []
            },
            "attachments": [],
            "hashtags": [],
            "urls": [],
            "user_definition": [],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "postHistory": [
      {
        "title": "Success",
        "request": {
          "id": 114582761979904
        },
        "response": {
          "total": 2,
          "count": 2,
          "items": [
            {
              "objectType": "version",
              "kind": "linnet#version",
              "id": 114582761984000,
              "text": "The engine, at last",
              "created": "Fri, Nov 20, 2026 3:13 PM",
              "created_at": "2026-11-20T15:13:05.123Z",
              "hashtags": [],
              "urls": [],
              "user_definition": []
            },
            {
              "objectType": "version",
              "kind": "linnet#version",
              "id": 114582761979904,
              "text": "The engine, at lst",
              "created": "Fri, Nov 20, 2026 3:12 PM",
              "created_at": "2026-11-20T15:12:05.123Z",
              "hashtags": [],
              "urls": [],
              "user_definition": []
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYxOTg0MDAw"
        }
      }
    ],
    "commentCreate": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post",
          "text": "Well said"
        },
        "response": {
          "id": 114582761988096,
          "text": "Well said",
          "created": "Fri, Nov 20, 2026 3:14 PM",
          "created_at": "2026-11-20T15:14:05.123Z",
          "link": "https://linnet.example/p/114582761967616?before=114582761992192#comment-114582761988096",
          "item_id": 114582761967616,
          "parent_id": 0,
          "user": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761951232,
            "username": "grace_hopper",
            "displayName": "Grace Hopper",
            "name": {
              "first_name": "Grace",
              "last_name": "Hopper"
            },
            "description": "",
            "country": "",
            "link": "https://linnet.example/@grace_hopper",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 0
            }
          },
          "hashtags": [],
          "urls": [],
          "user_definition": [],
          "status": 0
        }
      },
      {
        "title": "A reply",
        "request": {
          "item_id": 114582761967616,
          "type": "post",
          "parent_id": 114582761988096,
          "text": "Thank you, @grace_hopper"
        },
        "response": {
          "id": 114582761996288,
          "text": "Thank you, @grace_hopper",
          "created": "Fri, Nov 20, 2026 3:16 PM",
          "created_at": "2026-11-20T15:16:05.123Z",
          "link": "https://linnet.example/p/114582761967616?before=114582762000384#comment-114582761996288",
          "item_id": 114582761967616,
          "parent_id": 114582761988096,
          "user": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761947136,
            "username": "ada_lovelace",
            "displayName": "Ada Lovelace",
            "name": {
              "first_name": "Ada",
              "last_name": "Lovelace"
            },
            "description": "",
            "country": "",
            "link": "https://linnet.example/@ada_lovelace",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 4
            }
          },
          "hashtags": [],
          "urls": [],
          "user_definition": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 0
              }
            }
          ],
          "status": 0
        }
      }
    ],
    "commentCreateByGet": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post",
          "text": "Thank you"
        },
        "response": {
          "id": 114582762004480,
          "text": "Thank you",
          "created": "Fri, Nov 20, 2026 3:18 PM",
          "created_at": "2026-11-20T15:18:05.123Z",
          "link": "https://linnet.example/p/114582761967616?before=114582762008576#comment-114582762004480",
          "item_id": 114582761967616,
          "parent_id": 0,
          "user": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761947136,
            "username": "ada_lovelace",
            "displayName": "Ada Lovelace",
            "name": {
              "first_name": "Ada",
              "last_name": "Lovelace"
            },
            "description": "",
            "country": "",
            "link": "https://linnet.example/@ada_lovelace",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 4
            }
          },
          "hashtags": [],
          "urls": [],
          "user_definition": [],
          "status": 0
        }
      }
    ],
    "commentShow": [
      {
        "title": "Success",
        "request": {
          "id": 114582761988096
        },
        "response": {
          "items": {
            "id": 114582761988096,
            "text": "Well said",
            "created": "Fri, Nov 20, 2026 3:14 PM",
            "created_at": "2026-11-20T15:14:05.123Z",
            "link": "https://linnet.example/p/114582761967616?before=114582761992192#comment-114582761988096",
            "item_id": 114582761967616,
            "parent_id": 0,
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 0
              }
            },
            "hashtags": [],
            "urls": [],
            "user_definition": []
          }
        }
      }
    ],
    "mentions": [
      {
        "title": "Success",
        "request": {
          "count": 2
        },
        "response": {
          "total": 2,
          "count": 2,
          "items": [
            {
              "objectType": "mention",
              "kind": "linnet#mention",
              "id": 114582761996288,
              "type": "comment",
              "post": {
                "id": 114582761967616,
                "text": "Hello #Linnet, hello @grace_hopper",
                "created": "Fri, Nov 20, 2026 3:09 PM",
                "created_at": "2026-11-20T15:09:05.123Z",
                "link": "https://linnet.example/p/114582761967616",
                "user": {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761947136,
                  "username": "ada_lovelace",
                  "displayName": "Ada Lovelace",
                  "name": {
                    "first_name": "Ada",
                    "last_name": "Lovelace"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@ada_lovelace",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 4
                  }
                },
                "media": {
                  "image": null,
                  "files": []
                },
                "attachments": [],
                "hashtags": [
                  {
                    "text": "Linnet",
                    "indices": [
                      6,
                      13
                    ]
                  }
                ],
                "urls": [],
                "user_definition": [
                  {
                    "objectType": "account",
                    "kind": "linnet#account",
                    "id": 114582761951232,
                    "username": "grace_hopper",
                    "displayName": "Grace Hopper",
                    "name": {
                      "first_name": "Grace",
                      "last_name": "Hopper"
                    },
                    "description": "",
                    "country": "",
                    "link": "https://linnet.example/@grace_hopper",
                    "verified": 0,
                    "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                    "action": {
                      "followers": 0,
                      "following": 0,
                      "posts": 0
                    }
                  }
                ],
                "action": {
                  "likes": 0,
                  "comments": 3,
                  "reposts": 0
                },
                "commenters": "everyone",
                "sensitive": 0,
                "viewer": {
                  "liked": 0,
                  "reposted": 0,
                  "bookmarked": 0,
                  "can_comment": 1
                }
              },
              "comment": {
                "id": 114582761996288,
                "text": "Thank you, @grace_hopper",
                "created": "Fri, Nov 20, 2026 3:16 PM",
                "created_at": "2026-11-20T15:16:05.123Z",
                "link": "https://linnet.example/p/114582761967616?before=114582762000384#comment-114582761996288",
                "item_id": 114582761967616,
                "parent_id": 114582761988096,
                "user": {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761947136,
                  "username": "ada_lovelace",
                  "displayName": "Ada Lovelace",
                  "name": {
                    "first_name": "Ada",
                    "last_name": "Lovelace"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@ada_lovelace",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 4
                  }
                },
                "hashtags": [],
                "urls": [],
                "user_definition": [
                  {
                    "objectType": "account",
                    "kind": "linnet#account",
                    "id": 114582761951232,
                    "username": "grace_hopper",
                    "displayName": "Grace Hopper",
                    "name": {
                      "first_name": "Grace",
                      "last_name": "Hopper"
                    },
                    "description": "",
                    "country": "",
                    "link": "https://linnet.example/@grace_hopper",
                    "verified": 0,
                    "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                    "action": {
                      "followers": 0,
                      "following": 0,
                      "posts": 0
                    }
                  }
                ]
              }
            },
            {
              "objectType": "mention",
              "kind": "linnet#mention",
              "id": 114582761967616,
              "type": "post",
              "post": {
                "id": 114582761967616,
                "text": "Hello #Linnet, hello @grace_hopper",
                "created": "Fri, Nov 20, 2026 3:09 PM",
                "created_at": "2026-11-20T15:09:05.123Z",
                "link": "https://linnet.example/p/114582761967616",
                "user": {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761947136,
                  "username": "ada_lovelace",
                  "displayName": "Ada Lovelace",
                  "name": {
                    "first_name": "Ada",
                    "last_name": "Lovelace"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@ada_lovelace",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 4
                  }
                },
                "media": {
                  "image": null,
                  "files": []
                },
                "attachments": [],
                "hashtags": [
                  {
                    "text": "Linnet",
                    "indices": [
                      6,
                      13
                    ]
                  }
                ],
                "urls": [],
                "user_definition": [
                  {
                    "objectType": "account",
                    "kind": "linnet#account",
                    "id": 114582761951232,
                    "username": "grace_hopper",
                    "displayName": "Grace Hopper",
                    "name": {
                      "first_name": "Grace",
                      "last_name": "Hopper"
                    },
                    "description": "",
                    "country": "",
                    "link": "https://linnet.example/@grace_hopper",
                    "verified": 0,
                    "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                    "action": {
                      "followers": 0,
                      "following": 0,
                      "posts": 0
                    }
                  }
                ],
                "action": {
                  "likes": 0,
                  "comments": 3,
                  "reposts": 0
                },
                "commenters": "everyone",
                "sensitive": 0,
                "viewer": {
                  "liked": 0,
                  "reposted": 0,
                  "bookmarked": 0,
                  "can_comment": 1
                }
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYxOTk2Mjg4"
        }
      }
    ],
    "commentList": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "total": 3,
          "count": 3,
          "items": [
            {
              "id": 114582762004480,
              "text": "Thank you",
              "created": "Fri, Nov 20, 2026 3:18 PM",
              "created_at": "2026-11-20T15:18:05.123Z",
              "link": "https://linnet.example/p/114582761967616?before=114582762008576#comment-114582762004480",
              "item_id": 114582761967616,
              "parent_id": 0,
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "hashtags": [],
              "urls": [],
              "user_definition": []
            },
            {
              "id": 114582761996288,
              "text": "Thank you, @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:16 PM",
              "created_at": "2026-11-20T15:16:05.123Z",
              "link": "https://linnet.example/p/114582761967616?before=114582762000384#comment-114582761996288",
              "item_id": 114582761967616,
              "parent_id": 114582761988096,
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "hashtags": [],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 0
                  }
                }
              ]
            },
            {
              "id": 114582761988096,
              "text": "Well said",
              "created": "Fri, Nov 20, 2026 3:14 PM",
              "created_at": "2026-11-20T15:14:05.123Z",
              "link": "https://linnet.example/p/114582761967616?before=114582761992192#comment-114582761988096",
              "item_id": 114582761967616,
              "parent_id": 0,
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 0
                }
              },
              "hashtags": [],
              "urls": [],
              "user_definition": []
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDA0NDgw"
        }
      }
    ],
    "likesAdd": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "count": 1
        }
      }
    ],
    "likesIsLiked": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "response": {
            "liked": 1
          }
        }
      }
    ],
    "likesList": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 1
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDE2NzY4"
        }
      }
    ],
    "usersFavorites": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "id": 114582761967616,
              "text": "Hello #Linnet, hello @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z",
              "link": "https://linnet.example/p/114582761967616",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "Linnet",
                  "indices": [
                    6,
                    13
                  ]
                }
              ],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 1
                  }
                }
              ],
              "action": {
                "likes": 1,
                "comments": 3,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDE2NzY4"
        }
      }
    ],
    "bookmarksAdd": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "response": {
            "bookmarked": 1
          }
        }
      }
    ],
    "bookmarksList": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "id": 114582761967616,
              "text": "Hello #Linnet, hello @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z",
              "link": "https://linnet.example/p/114582761967616",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "Linnet",
                  "indices": [
                    6,
                    13
                  ]
                }
              ],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 1
                  }
                }
              ],
              "action": {
                "likes": 1,
                "comments": 3,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 1,
                "can_comment": 1
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDIwODY0"
        }
      }
    ],
    "repostsAdd": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "count": 1
        }
      }
    ],
    "repostsIsReposted": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "response": {
            "reposted": 1
          }
        }
      }
    ],
    "repostsList": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 1
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDI0OTYw"
        }
      }
    ],
    "feed": [
      {
        "title": "Success",
        "request": {
          "count": 2
        },
        "response": {
          "total": 2,
          "count": 2,
          "items": [
            {
              "id": 114582761967616,
              "text": "Hello #Linnet, hello @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z",
              "link": "https://linnet.example/p/114582761967616",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "Linnet",
                  "indices": [
                    6,
                    13
                  ]
                }
              ],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 1
                  }
                }
              ],
              "action": {
                "likes": 1,
                "comments": 3,
                "reposts": 1
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 1,
                "reposted": 1,
                "bookmarked": 0,
                "can_comment": 1
              },
              "repost": {
                "id": 114582762024960,
                "user": {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 1
                  }
                },
                "created": "Fri, Nov 20, 2026 3:23 PM",
                "created_at": "2026-11-20T15:23:05.123Z"
              }
            },
            {
              "id": 114582762012672,
              "text": "A nanosecond is 30 cm long",
              "created": "Fri, Nov 20, 2026 3:20 PM",
              "created_at": "2026-11-20T15:20:05.123Z",
              "link": "https://linnet.example/p/114582762012672",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 1
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDI0OTYw"
        }
      }
    ],
    "timelinePublic": [
      {
        "title": "Success",
        "request": {
          "count": 2
        },
        "response": {
          "total": 5,
          "count": 2,
          "items": [
            {
              "id": 114582762012672,
              "text": "A nanosecond is 30 cm long",
              "created": "Fri, Nov 20, 2026 3:20 PM",
              "created_at": "2026-11-20T15:20:05.123Z",
              "link": "https://linnet.example/p/114582762012672",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 1
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            },
            {
              "id": 114582761979904,
              "text": "The engine, at last",
              "created": "Fri, Nov 20, 2026 3:12 PM",
              "created_at": "2026-11-20T15:12:05.123Z",
              "edited": "Sat, Nov 21, 2026 3:12 PM",
              "edited_at": "2026-11-21T15:12:05.123Z",
              "link": "https://linnet.example/p/114582761979904",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "next": "b2xkZXIgMTE0NTgyNzYxOTc5OTA0",
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDEyNjcy"
        }
      }
    ],
    "likesDelete": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "count": 0
        }
      }
    ],
    "bookmarksDelete": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "response": {
            "bookmarked": 0
          }
        }
      }
    ],
    "repostsDelete": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761967616,
          "type": "post"
        },
        "response": {
          "count": 0
        }
      }
    ],
    "notifications": [
      {
        "title": "Success",
        "request": {
          "count": 2
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "notification",
              "kind": "linnet#notification",
              "id": 114582761988096,
              "type": "reply",
              "count": 1,
              "unread": 1,
              "created": "Fri, Nov 20, 2026 3:14 PM",
              "created_at": "2026-11-20T15:14:05.123Z",
              "users": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 1
                  }
                }
              ],
              "post": {
                "id": 114582761967616,
                "text": "Hello #Linnet, hello @grace_hopper",
                "created": "Fri, Nov 20, 2026 3:09 PM",
                "created_at": "2026-11-20T15:09:05.123Z",
                "link": "https://linnet.example/p/114582761967616",
                "user": {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761947136,
                  "username": "ada_lovelace",
                  "displayName": "Ada Lovelace",
                  "name": {
                    "first_name": "Ada",
                    "last_name": "Lovelace"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@ada_lovelace",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 4
                  }
                },
                "media": {
                  "image": null,
                  "files": []
                },
                "attachments": [],
                "hashtags": [
                  {
                    "text": "Linnet",
                    "indices": [
                      6,
                      13
                    ]
                  }
                ],
                "urls": [],
                "user_definition": [
                  {
                    "objectType": "account",
                    "kind": "linnet#account",
                    "id": 114582761951232,
                    "username": "grace_hopper",
                    "displayName": "Grace Hopper",
                    "name": {
                      "first_name": "Grace",
                      "last_name": "Hopper"
                    },
                    "description": "",
                    "country": "",
                    "link": "https://linnet.example/@grace_hopper",
                    "verified": 0,
                    "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                    "action": {
                      "followers": 0,
                      "following": 0,
                      "posts": 1
                    }
                  }
                ],
                "action": {
                  "likes": 0,
                  "comments": 3,
                  "reposts": 0
                },
                "commenters": "everyone",
                "sensitive": 0,
                "viewer": {
                  "liked": 0,
                  "reposted": 0,
                  "bookmarked": 0,
                  "can_comment": 1
                }
              },
              "comment": {
                "id": 114582761988096,
                "text": "Well said",
                "created": "Fri, Nov 20, 2026 3:14 PM",
                "created_at": "2026-11-20T15:14:05.123Z",
                "link": "https://linnet.example/p/114582761967616?before=114582761992192#comment-114582761988096",
                "item_id": 114582761967616,
                "parent_id": 0,
                "user": {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 1
                  }
                },
                "hashtags": [],
                "urls": [],
                "user_definition": []
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYxOTg4MDk2"
        }
      }
    ],
    "notificationsUnread": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "count": 1
        }
      }
    ],
    "notificationsRead": [
      {
        "title": "Success",
        "request": {
          "id": 114582761988096
        },
        "response": {
          "count": 0
        }
      }
    ],
    "notificationsPreferences": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "mention": 1,
          "reply": 1,
          "like": 1,
          "repost": 1,
          "follow": 1,
          "follow_request": 1,
          "approved": 1
        }
      }
    ],
    "notificationsPreferencesUpdate": [
      {
        "title": "Success",
        "request": {
          "like": false
        },
        "response": {
          "mention": 1,
          "reply": 1,
          "like": 0,
          "repost": 1,
          "follow": 1,
          "follow_request": 1,
          "approved": 1
        }
      }
    ],
    "hashtagsPosts": [
      {
        "title": "Success",
        "request": {
          "hashtag": "linnet",
          "count": 2
        },
        "response": {
          "total": 2,
          "count": 2,
          "items": [
            {
              "id": 114582762029056,
              "text": "A bug in #linnet, of all things",
              "created": "Fri, Nov 20, 2026 3:24 PM",
              "created_at": "2026-11-20T15:24:05.123Z",
              "link": "https://linnet.example/p/114582762029056",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 2
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "linnet",
                  "indices": [
                    9,
                    16
                  ]
                }
              ],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            },
            {
              "id": 114582761967616,
              "text": "Hello #Linnet, hello @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z",
              "link": "https://linnet.example/p/114582761967616",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "Linnet",
                  "indices": [
                    6,
                    13
                  ]
                }
              ],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 2
                  }
                }
              ],
              "action": {
                "likes": 0,
                "comments": 3,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDI5MDU2"
        }
      }
    ],
    "searchPosts": [
      {
        "title": "Success",
        "request": {
          "query": "\"a bug\" linnet",
          "count": 2
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "id": 114582762029056,
              "text": "A bug in #linnet, of all things",
              "created": "Fri, Nov 20, 2026 3:24 PM",
              "created_at": "2026-11-20T15:24:05.123Z",
              "link": "https://linnet.example/p/114582762029056",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 2
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "linnet",
                  "indices": [
                    9,
                    16
                  ]
                }
              ],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0,
              "viewer": {
                "liked": 0,
                "reposted": 0,
                "bookmarked": 0,
                "can_comment": 1
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDI5MDU2"
        }
      }
    ],
    "hashtagsSearch": [
      {
        "title": "Success",
        "request": {
          "hashtag": "lin"
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "text": "linnet",
              "accounts": 2,
              "posts": 2
            }
          ]
        }
      }
    ],
    "hashtagsTrending": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "text": "linnet",
              "accounts": 2,
              "posts": 2
            }
          ]
        }
      }
    ],
    "followsAdd": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "count": 1,
          "requested": 0
        }
      }
    ],
    "followsIsFollowing": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "response": {
            "following": 1,
            "requested": 0
          }
        }
      }
    ],
    "usersFollowing": [
      {
        "title": "Success",
        "request": {
          "id": 114582761947136
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 1,
                "following": 0,
                "posts": 2
              },
              "viewer": {
                "following": 1,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDMzMTUy"
        }
      }
    ],
    "usersFollowers": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 1,
                "posts": 4
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDMzMTUy"
        }
      }
    ],
    "usersSuggested": [
      {
        "title": "Success",
        "request": {
          "count": 2
        },
        "response": {
          "total": 0,
          "count": 0,
          "items": []
        }
      }
    ],
    "followsDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "count": 0
        }
      }
    ],
    "followsRequests": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 3,
          "count": 3,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761955328,
              "username": "alan_turing",
              "displayName": "Alan Turing",
              "name": {
                "first_name": "Alan",
                "last_name": "Turing"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@alan_turing",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005ef100005ef1.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 0
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            },
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            },
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 4
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDM3MjQ4"
        }
      }
    ],
    "followsRequestsApprove": [
      {
        "title": "Success",
        "request": {
          "id": 114582761947136
        },
        "response": {
          "count": 1
        }
      }
    ],
    "followsRequestsReject": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "count": 1
        }
      }
    ],
    "followersDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761947136
        },
        "response": {
          "count": 0
        }
      }
    ],
    "usersShow": [
      {
        "title": "Success",
        "request": {
          "username": "grace_hopper"
        },
        "response": {
          "objectType": "account",
          "kind": "linnet#account",
          "id": 114582761951232,
          "username": "grace_hopper",
          "displayName": "Grace Hopper",
          "name": {
            "first_name": "Grace",
            "last_name": "Hopper"
          },
          "description": "",
          "country": "",
          "link": "https://linnet.example/@grace_hopper",
          "verified": 0,
          "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
          "action": {
            "followers": 0,
            "following": 0,
            "posts": 2
          },
          "viewer": {
            "following": 0,
            "follow_requested": 0,
            "followed_by": 0,
            "muted": 0,
            "blocked": 0,
            "blocking": 0
          },
          "language": "en",
          "email": "",
          "created": "Fri, Nov 20, 2026 3:05 PM",
          "created_at": "2026-11-20T15:05:05.123Z",
          "post": {
            "id": 114582762029056,
            "text": "A bug in #linnet, of all things",
            "created": "Fri, Nov 20, 2026 3:24 PM",
            "created_at": "2026-11-20T15:24:05.123Z",
            "link": "https://linnet.example/p/114582762029056",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              }
            },
            "media": {
              "image": null,
              "files": []
            },
            "attachments": [],
            "hashtags": [
              {
                "text": "linnet",
                "indices": [
                  9,
                  16
                ]
              }
            ],
            "urls": [],
            "user_definition": [],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "usersLookup": [
      {
        "title": "Success",
        "request": {
          "username": [
            "grace_hopper",
            "nobody_here"
          ]
        },
        "response": {
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            }
          ],
          "missing": [
            {
              "objectType": "account",
              "username": "nobody_here"
            }
          ]
        }
      }
    ],
    "searchUsers": [
      {
        "title": "Success",
        "request": {
          "query": "hopper",
          "count": 2
        },
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 0
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYxOTUxMjMy"
        }
      }
    ],
    "usersIs": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "response": {
            "user": 0
          },
          "exists": true
        }
      }
    ],
    "accountUpdate": [
      {
        "title": "Success",
        "request": {
          "description": "Wrote the first program.",
          "country": "London"
        },
        "response": {
          "objectType": "account",
          "kind": "linnet#account",
          "id": 114582761947136,
          "username": "ada_lovelace",
          "displayName": "Ada Lovelace",
          "name": {
            "first_name": "Ada",
            "last_name": "Lovelace"
          },
          "description": "Wrote the first program.",
          "country": "London",
          "link": "https://linnet.example/@ada_lovelace",
          "verified": 0,
          "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
          "action": {
            "followers": 0,
            "following": 0,
            "posts": 4
          },
          "language": "en",
          "email": "ada@example.org",
          "created": "Fri, Nov 20, 2026 3:04 PM",
          "created_at": "2026-11-20T15:04:05.123Z",
          "protected": 0,
          "post": {
            "id": 114582761979904,
            "text": "The engine, at last",
            "created": "Fri, Nov 20, 2026 3:12 PM",
            "created_at": "2026-11-20T15:12:05.123Z",
            "edited": "Sat, Nov 21, 2026 3:12 PM",
            "edited_at": "2026-11-21T15:12:05.123Z",
            "link": "https://linnet.example/p/114582761979904",
            "user": {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761947136,
              "username": "ada_lovelace",
              "displayName": "Ada Lovelace",
              "name": {
                "first_name": "Ada",
                "last_name": "Lovelace"
              },
              "description": "Wrote the first program.",
              "country": "London",
              "link": "https://linnet.example/@ada_lovelace",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 4
              }
            },
            "media": {
              "image": null,
              "files": []
            },
            "attachments": [],
            "hashtags": [],
            "urls": [],
            "user_definition": [],
            "action": {
              "likes": 0,
              "comments": 0,
              "reposts": 0
            },
            "commenters": "everyone",
            "sensitive": 0,
            "viewer": {
              "liked": 0,
              "reposted": 0,
              "bookmarked": 0,
              "can_comment": 1
            }
          }
        }
      }
    ],
    "accountUpdateUsername": [
      {
        "title": "Success",
        "request": {
          "username": "turing_machine"
        },
        "response": {
          "response": {
            "status": 0,
            "username": "turing_machine"
          },
          "status": 0,
          "username": "turing_machine"
        }
      }
    ],
    "mediaList": [
      {
        "title": "Success",
        "request": {
          "user_id": 114582761947136
        },
        "response": {
          "total": 2,
          "count": 2,
          "items": [
            {
              "id": 114582761963520,
              "item_id": 114582761971712,
              "media": {
                "image": "https://linnet.example/media/display/00005ef000005ef000005ef000005ef0.png"
              },
              "alt": "",
              "width": 30,
              "height": 20,
              "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              }
            },
            {
              "id": 114582761959424,
              "item_id": 114582761971712,
              "media": {
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png"
              },
              "alt": "Wheels of brass in a wooden frame",
              "width": 30,
              "height": 20,
              "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYxOTYzNTIw"
        }
      }
    ],
    "mediaShow": [
      {
        "title": "Success",
        "request": {
          "id": 114582761959424
        },
        "response": {
          "id": 114582761959424,
          "item_id": 114582761971712,
          "media": {
            "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png"
          },
          "alt": "Wheels of brass in a wooden frame",
          "width": 30,
          "height": 20,
          "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
          "user": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761947136,
            "username": "ada_lovelace",
            "displayName": "Ada Lovelace",
            "name": {
              "first_name": "Ada",
              "last_name": "Lovelace"
            },
            "description": "Wrote the first program.",
            "country": "London",
            "link": "https://linnet.example/@ada_lovelace",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 4
            }
          },
          "items": [
            {
              "id": 114582761959424,
              "item_id": 114582761971712,
              "media": {
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png"
              },
              "alt": "Wheels of brass in a wooden frame",
              "width": 30,
              "height": 20,
              "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 4
                }
              }
            }
          ]
        }
      }
    ],
    "mutesAdd": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232,
          "ends_at": "2099-01-01T00:00:00Z"
        },
        "response": {
          "response": {
            "muted": 1
          }
        }
      }
    ],
    "mutesList": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761951232,
              "username": "grace_hopper",
              "displayName": "Grace Hopper",
              "name": {
                "first_name": "Grace",
                "last_name": "Hopper"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@grace_hopper",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 2
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 1,
                "blocked": 0,
                "blocking": 0
              },
              "mute": {
                "ends": "Thu, Jan 1, 2099 12:00 AM",
                "ends_at": "2099-01-01T00:00:00.000Z"
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDQxMzQ0"
        }
      }
    ],
    "mutesDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761951232
        },
        "response": {
          "response": {
            "muted": 0
          }
        }
      }
    ],
    "filtersAdd": [
      {
        "title": "Success",
        "request": {
          "text": "spoiler",
          "ends_at": "2099-01-01T00:00:00Z"
        },
        "response": {
          "id": 114582762045440,
          "text": "spoiler",
          "match": "word",
          "created": "Fri, Nov 20, 2026 3:28 PM",
          "created_at": "2026-11-20T15:28:05.123Z",
          "ends": "Thu, Jan 1, 2099 12:00 AM",
          "ends_at": "2099-01-01T00:00:00.000Z"
        }
      }
    ],
    "filtersList": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "id": 114582762045440,
              "text": "spoiler",
              "match": "word",
              "created": "Fri, Nov 20, 2026 3:28 PM",
              "created_at": "2026-11-20T15:28:05.123Z",
              "ends": "Thu, Jan 1, 2099 12:00 AM",
              "ends_at": "2099-01-01T00:00:00.000Z"
            }
          ]
        }
      }
    ],
    "filtersDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582762045440
        },
        "response": {
          "status": "succeeded",
          "message": "The filter was deleted."
        }
      }
    ],
    "blocksAdd": [
      {
        "title": "Success",
        "request": {
          "id": 114582761955328
        },
        "response": {
          "response": {
            "blocking": 1
          }
        }
      }
    ],
    "blocksList": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "objectType": "account",
              "kind": "linnet#account",
              "id": 114582761955328,
              "username": "turing_machine",
              "displayName": "Alan Turing",
              "name": {
                "first_name": "Alan",
                "last_name": "Turing"
              },
              "description": "",
              "country": "",
              "link": "https://linnet.example/@turing_machine",
              "verified": 0,
              "avatar": "https://linnet.example/media/avatars/00005ef100005ef1.svg",
              "action": {
                "followers": 0,
                "following": 0,
                "posts": 0
              },
              "viewer": {
                "following": 0,
                "follow_requested": 0,
                "followed_by": 0,
                "muted": 0,
                "blocked": 0,
                "blocking": 1
              }
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDQ5NTM2"
        }
      }
    ],
    "blocksDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761955328
        },
        "response": {
          "response": {
            "blocking": 0
          }
        }
      }
    ],
    "reportsCreate": [
      {
        "title": "Success",
        "request": {
          "item_id": 114582761955328,
          "type": "account",
          "reason": "spam",
          "text": "Advertises pills under every post"
        },
        "response": {
          "objectType": "report",
          "kind": "linnet#report",
          "id": 114582762053632,
          "item_id": 114582761955328,
          "type": "account",
          "reason": "spam",
          "text": "Advertises pills under every post",
          "created": "Fri, Nov 20, 2026 3:30 PM",
          "created_at": "2026-11-20T15:30:05.123Z"
        }
      }
    ],
    "accountGrants": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "total": 1,
          "count": 1,
          "items": [
            {
              "id": 114582762057728,
              "kind": "consent",
              "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
              "scope": "users posts",
              "current": false,
              "created": "Fri, Nov 20, 2026 3:31 PM",
              "created_at": "2026-11-20T15:31:05.123Z"
            }
          ],
          "prev": "bmV3ZXIgMTE0NTgyNzYyMDU3NzI4"
        }
      }
    ],
    "accountGrantsNarrow": [
      {
        "title": "Success",
        "request": {
          "id": 114582762057728,
          "scope": "users"
        },
        "response": {
          "id": 114582762057728,
          "kind": "consent",
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "scope": "users",
          "current": false,
          "created": "Fri, Nov 20, 2026 3:31 PM",
          "created_at": "2026-11-20T15:31:05.123Z"
        }
      }
    ],
    "accountGrantsRevoke": [
      {
        "title": "Success",
        "request": {
          "id": 114582762057728
        },
        "response": {
          "status": "succeeded",
          "message": "The grant was revoked."
        }
      }
    ],
    "accountExport": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "profile": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761947136,
            "username": "ada_lovelace",
            "displayName": "Ada Lovelace",
            "name": {
              "first_name": "Ada",
              "last_name": "Lovelace"
            },
            "description": "Wrote the first program.",
            "country": "London",
            "link": "https://linnet.example/@ada_lovelace",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 5
            },
            "language": "en",
            "email": "ada@example.org",
            "created": "Fri, Nov 20, 2026 3:04 PM",
            "created_at": "2026-11-20T15:04:05.123Z",
            "protected": 0
          },
          "posts": [
            {
              "id": 114582761967616,
              "text": "Hello #Linnet, hello @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z",
              "link": "https://linnet.example/p/114582761967616",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 5
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [
                {
                  "text": "Linnet",
                  "indices": [
                    6,
                    13
                  ]
                }
              ],
              "urls": [],
              "user_definition": [
                {
                  "objectType": "account",
                  "kind": "linnet#account",
                  "id": 114582761951232,
                  "username": "grace_hopper",
                  "displayName": "Grace Hopper",
                  "name": {
                    "first_name": "Grace",
                    "last_name": "Hopper"
                  },
                  "description": "",
                  "country": "",
                  "link": "https://linnet.example/@grace_hopper",
                  "verified": 0,
                  "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                  "action": {
                    "followers": 0,
                    "following": 0,
                    "posts": 2
                  }
                }
              ],
              "action": {
                "likes": 0,
                "comments": 3,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0
            },
            {
              "id": 114582761971712,
              "text": "The engine, at last",
              "created": "Fri, Nov 20, 2026 3:10 PM",
              "created_at": "2026-11-20T15:10:05.123Z",
              "link": "https://linnet.example/p/114582761971712",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 5
                }
              },
              "media": {
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                "files": [
                  {
                    "name": "00005eef00005eef00005eef00005eef.png",
                    "filesize": 48213,
                    "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png"
                  }
                ]
              },
              "attachments": [
                {
                  "id": 114582761959424,
                  "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                  "thumbnail": "https://linnet.example/media/thumb/00005eef00005eef00005eef00005eef.png",
                  "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png",
                  "alt": "Wheels of brass in a wooden frame",
                  "width": 30,
                  "height": 20,
                  "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
                },
                {
                  "id": 114582761963520,
                  "image": "https://linnet.example/media/display/00005ef000005ef000005ef000005ef0.png",
                  "thumbnail": "https://linnet.example/media/thumb/00005ef000005ef000005ef000005ef0.png",
                  "download": "https://linnet.example/media/00005ef000005ef000005ef000005ef0.png",
                  "alt": "",
                  "width": 30,
                  "height": 20,
                  "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ"
                }
              ],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "mentioned",
              "sensitive": 1
            },
            {
              "id": 114582761975808,
              "text": "Hello by GET",
              "created": "Fri, Nov 20, 2026 3:11 PM",
              "created_at": "2026-11-20T15:11:05.123Z",
              "link": "https://linnet.example/p/114582761975808",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 5
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0
            },
            {
              "id": 114582761979904,
              "text": "The engine, at last",
              "created": "Fri, Nov 20, 2026 3:12 PM",
              "created_at": "2026-11-20T15:12:05.123Z",
              "edited": "Sat, Nov 21, 2026 3:12 PM",
              "edited_at": "2026-11-21T15:12:05.123Z",
              "link": "https://linnet.example/p/114582761979904",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 5
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0
            },
            {
              "id": 114582762061824,
              "text": "Once",
              "created": "Fri, Nov 20, 2026 3:32 PM",
              "created_at": "2026-11-20T15:32:05.123Z",
              "link": "https://linnet.example/p/114582762061824",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761947136,
                "username": "ada_lovelace",
                "displayName": "Ada Lovelace",
                "name": {
                  "first_name": "Ada",
                  "last_name": "Lovelace"
                },
                "description": "Wrote the first program.",
                "country": "London",
                "link": "https://linnet.example/@ada_lovelace",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 5
                }
              },
              "media": {
                "image": null,
                "files": []
              },
              "attachments": [],
              "hashtags": [],
              "urls": [],
              "user_definition": [],
              "action": {
                "likes": 0,
                "comments": 0,
                "reposts": 0
              },
              "commenters": "everyone",
              "sensitive": 0
            }
          ],
          "history": [
            {
              "item_id": 114582761979904,
              "text": "The engine, at lst",
              "created": "Fri, Nov 20, 2026 3:12 PM",
              "created_at": "2026-11-20T15:12:05.123Z"
            }
          ],
          "reposts": [],
          "comments": [
            {
              "id": 114582761996288,
              "text": "Thank you, @grace_hopper",
              "created": "Fri, Nov 20, 2026 3:16 PM",
              "created_at": "2026-11-20T15:16:05.123Z",
              "link": "https://linnet.example/p/114582761967616?before=114582762000384#comment-114582761996288",
              "item_id": 114582761967616,
              "parent_id": 114582761988096
            },
            {
              "id": 114582762004480,
              "text": "Thank you",
              "created": "Fri, Nov 20, 2026 3:18 PM",
              "created_at": "2026-11-20T15:18:05.123Z",
              "link": "https://linnet.example/p/114582761967616?before=114582762008576#comment-114582762004480",
              "item_id": 114582761967616,
              "parent_id": 0
            }
          ],
          "likes": [],
          "bookmarks": [],
          "follows": {
            "following": [],
            "followers": []
          },
          "blocks": [],
          "mutes": [],
          "word_filters": [],
          "notification_preferences": {
            "mention": 1,
            "reply": 1,
            "like": 0,
            "repost": 1,
            "follow": 1,
            "follow_request": 1,
            "approved": 1
          },
          "notifications": [
            {
              "type": "reply",
              "user": {
                "objectType": "account",
                "kind": "linnet#account",
                "id": 114582761951232,
                "username": "grace_hopper",
                "displayName": "Grace Hopper",
                "name": {
                  "first_name": "Grace",
                  "last_name": "Hopper"
                },
                "description": "",
                "country": "",
                "link": "https://linnet.example/@grace_hopper",
                "verified": 0,
                "avatar": "https://linnet.example/media/avatars/00005eed00005eed.svg",
                "action": {
                  "followers": 0,
                  "following": 0,
                  "posts": 2
                }
              },
              "item_id": 114582761967616,
              "comment_id": 114582761988096,
              "read": 1,
              "created": "Fri, Nov 20, 2026 3:09 PM",
              "created_at": "2026-11-20T15:09:05.123Z"
            }
          ],
          "reports": [
            {
              "item_id": 114582761955328,
              "type": "account",
              "reason": "spam",
              "text": "Advertises pills under every post",
              "status": "open",
              "created": "Fri, Nov 20, 2026 3:06 PM",
              "created_at": "2026-11-20T15:06:05.123Z"
            }
          ],
          "media": [
            {
              "id": 114582761959424,
              "item_id": 114582761971712,
              "media": {
                "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png",
                "files": [
                  {
                    "name": "00005eef00005eef00005eef00005eef.png",
                    "filesize": 48213,
                    "download": "https://linnet.example/media/00005eef00005eef00005eef00005eef.png"
                  }
                ]
              },
              "alt": "Wheels of brass in a wooden frame",
              "width": 30,
              "height": 20,
              "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
              "created": "Fri, Nov 20, 2026 3:07 PM",
              "created_at": "2026-11-20T15:07:05.123Z"
            },
            {
              "id": 114582761963520,
              "item_id": 114582761971712,
              "media": {
                "image": "https://linnet.example/media/display/00005ef000005ef000005ef000005ef0.png",
                "files": [
                  {
                    "name": "00005ef000005ef000005ef000005ef0.png",
                    "filesize": 48213,
                    "download": "https://linnet.example/media/00005ef000005ef000005ef000005ef0.png"
                  }
                ]
              },
              "alt": "",
              "width": 30,
              "height": 20,
              "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
              "created": "Fri, Nov 20, 2026 3:08 PM",
              "created_at": "2026-11-20T15:08:05.123Z"
            }
          ]
        }
      }
    ],
    "commentDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761988096
        },
        "response": {
          "status": "succeeded",
          "message": "The comment was deleted."
        }
      }
    ],
    "postDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761967616
        },
        "response": {
          "status": "succeeded",
          "message": "The post was deleted."
        }
      }
    ],
    "mediaUpdate": [
      {
        "title": "Success",
        "request": {
          "id": 114582761959424,
          "alt": "A difference engine"
        },
        "response": {
          "id": 114582761959424,
          "item_id": 114582761971712,
          "media": {
            "image": "https://linnet.example/media/display/00005eef00005eef00005eef00005eef.png"
          },
          "alt": "A difference engine",
          "width": 30,
          "height": 20,
          "blurhash": "L5NVua|cfQ|c|co1fQo1fQfQfQfQ",
          "user": {
            "objectType": "account",
            "kind": "linnet#account",
            "id": 114582761947136,
            "username": "ada_lovelace",
            "displayName": "Ada Lovelace",
            "name": {
              "first_name": "Ada",
              "last_name": "Lovelace"
            },
            "description": "Wrote the first program.",
            "country": "London",
            "link": "https://linnet.example/@ada_lovelace",
            "verified": 0,
            "avatar": "https://linnet.example/media/avatars/00005eee00005eee.svg",
            "action": {
              "followers": 0,
              "following": 0,
              "posts": 4
            }
          }
        }
      }
    ],
    "mediaDelete": [
      {
        "title": "Success",
        "request": {
          "id": 114582761959424
        },
        "response": {
          "status": "succeeded",
          "message": "The media was deleted."
        }
      }
    ],
    "accountDelete": [
      {
        "title": "Success",
        "request": {
          "password": "correct horse"
        },
        "response": {
          "status": "succeeded",
          "message": "The account was deleted. An operator can restore it for 14 days."
        }
      }
    ]
  },
  "problems": {
    "invalid-parameter": {
      "type": "https://linnet.example/problems/invalid-parameter",
      "title": "A parameter is missing or invalid",
      "status": 400,
      "detail": "`id` must be a positive integer.",
      "code": "invalid-parameter",
      "errors": [
        {
          "parameter": "id",
          "code": "invalid",
          "detail": "must be a positive integer"
        }
      ],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "malformed-body": {
      "type": "https://linnet.example/problems/malformed-body",
      "title": "The request body is malformed",
      "status": 400,
      "detail": "Send well-formed JSON.",
      "code": "malformed-body",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "token-required": {
      "type": "https://linnet.example/problems/token-required",
      "title": "An access token is required",
      "status": 401,
      "detail": "Send the header `Authorization: Bearer <access token>`.",
      "code": "token-required",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "invalid_token": {
      "type": "https://linnet.example/problems/invalid_token",
      "title": "The access token is invalid",
      "status": 401,
      "detail": "The access token is malformed, expired, revoked or issued for another service. Request a new one.",
      "code": "invalid_token",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "insufficient_scope": {
      "type": "https://linnet.example/problems/insufficient_scope",
      "title": "The access token lacks a required scope",
      "status": 403,
      "detail": "This request requires the scope `posts`. Send the person to the authorization endpoint with the parameters in `ask_again`.",
      "code": "insufficient_scope",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11",
      "scope": "posts",
      "ask_again": {
        "authorization_endpoint": "https://linnet.example/oauth/authorize",
        "parameters": {
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "scope": "users posts",
          "prompt": "consent"
        }
      }
    },
    "user-context-required": {
      "type": "https://linnet.example/problems/user-context-required",
      "title": "The access token does not act for an account",
      "status": 403,
      "detail": "This endpoint needs a token that acts for an account. This token belongs to the application itself.",
      "code": "user-context-required",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "prefetch-refused": {
      "type": "https://linnet.example/problems/prefetch-refused",
      "title": "A prefetch cannot change anything",
      "status": 403,
      "detail": "Send the request without the prefetch header (`Sec-Purpose`, `Purpose` or `X-Moz`).",
      "code": "prefetch-refused",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "accept-required": {
      "type": "https://linnet.example/problems/accept-required",
      "title": "The request must accept the type of the response",
      "status": 406,
      "detail": "Send the header `Accept: application/json`.",
      "code": "accept-required",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "body-too-large": {
      "type": "https://linnet.example/problems/body-too-large",
      "title": "The request body is too large",
      "status": 413,
      "detail": "Send a body of at most 65536 bytes.",
      "code": "body-too-large",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "unsupported-media-type": {
      "type": "https://linnet.example/problems/unsupported-media-type",
      "title": "The type of the request body is not supported",
      "status": 415,
      "detail": "Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.",
      "code": "unsupported-media-type",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "wrong-password": {
      "type": "https://linnet.example/problems/wrong-password",
      "title": "The password is incorrect",
      "status": 403,
      "detail": "Send the current password of the account.",
      "code": "wrong-password",
      "errors": [
        {
          "parameter": "password",
          "code": "invalid",
          "detail": "must be the current password of the account"
        }
      ],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "media-not-usable": {
      "type": "https://linnet.example/problems/media-not-usable",
      "title": "The media record cannot be used here",
      "status": 403,
      "detail": "Use a media record that the acting account uploaded.",
      "code": "media-not-usable",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "media-attached": {
      "type": "https://linnet.example/problems/media-attached",
      "title": "The media record is already attached to a post",
      "status": 409,
      "detail": "Upload the image again to use it in another post.",
      "code": "media-attached",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "protected-account": {
      "type": "https://linnet.example/problems/protected-account",
      "title": "The account is protected",
      "status": 403,
      "detail": "Only approved followers can see this list. Follow the account and wait for its approval.",
      "code": "protected-account",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "not-owner": {
      "type": "https://linnet.example/problems/not-owner",
      "title": "The record belongs to another account",
      "status": 403,
      "detail": "The post belongs to another account; only that account can delete it.",
      "code": "not-owner",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "comments-restricted": {
      "type": "https://linnet.example/problems/comments-restricted",
      "title": "Commenting on the post is restricted",
      "status": 403,
      "detail": "Only the author, and those whom `commenters` of the post names, can comment on it and reply to its comments.",
      "code": "comments-restricted",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "not-found": {
      "type": "https://linnet.example/problems/not-found",
      "title": "The record does not exist",
      "status": 404,
      "detail": "The post does not exist or is not visible to you.",
      "code": "not-found",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "email-taken": {
      "type": "https://linnet.example/problems/email-taken",
      "title": "The e-mail address is already in use",
      "status": 409,
      "detail": "Use another e-mail address.",
      "code": "email-taken",
      "errors": [
        {
          "parameter": "email",
          "code": "taken",
          "detail": "is already in use by another account"
        }
      ],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "username-taken": {
      "type": "https://linnet.example/problems/username-taken",
      "title": "The username is already taken",
      "status": 409,
      "detail": "Choose another username.",
      "code": "username-taken",
      "errors": [
        {
          "parameter": "username",
          "code": "taken",
          "detail": "is already in use by another account"
        }
      ],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "too-many-edits": {
      "type": "https://linnet.example/problems/too-many-edits",
      "title": "The post was edited too often",
      "status": 409,
      "detail": "A post can be edited 100 times. Write a new one.",
      "code": "too-many-edits",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "idempotency-key-reused": {
      "type": "https://linnet.example/problems/idempotency-key-reused",
      "title": "The idempotency key belongs to another request",
      "status": 422,
      "detail": "An earlier request used this Idempotency-Key with other parameters. Use a new one.",
      "code": "idempotency-key-reused",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "idempotency-in-progress": {
      "type": "https://linnet.example/problems/idempotency-in-progress",
      "title": "The same request is still in progress",
      "status": 409,
      "detail": "A request with this Idempotency-Key is still in progress. Retry after the time in `Retry-After`.",
      "code": "idempotency-in-progress",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "image-refused": {
      "type": "https://linnet.example/problems/image-refused",
      "title": "The file is not an acceptable PNG or JPEG",
      "status": 422,
      "detail": "Send an undamaged PNG or JPEG of at most 40 megapixels.",
      "code": "image-refused",
      "errors": [
        {
          "parameter": "media",
          "code": "invalid",
          "detail": "must be an undamaged PNG or JPEG of at most 40 megapixels"
        }
      ],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "unavailable": {
      "type": "https://linnet.example/problems/unavailable",
      "title": "The service is temporarily unavailable",
      "status": 503,
      "detail": "Wait as many seconds as `Retry-After` says, then retry.",
      "code": "unavailable",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "overloaded": {
      "type": "https://linnet.example/problems/overloaded",
      "title": "The service is overloaded",
      "status": 429,
      "detail": "Wait as many seconds as `Retry-After` says, then retry.",
      "code": "overloaded",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "rate-limited": {
      "type": "https://linnet.example/problems/rate-limited",
      "title": "Too many requests",
      "status": 429,
      "detail": "The rate limit application-reads allows 48 requests in 60 seconds. Wait as many seconds as `Retry-After` says, then retry.",
      "code": "rate-limited",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "storage-full": {
      "type": "https://linnet.example/problems/storage-full",
      "title": "The file cannot be stored at the moment",
      "status": 507,
      "detail": "Retry the upload later.",
      "code": "storage-full",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    },
    "internal-error": {
      "type": "https://linnet.example/problems/internal-error",
      "title": "Something went wrong on our side",
      "status": 500,
      "detail": "Retry later. If the error persists, send the `request_id` to the operator.",
      "code": "internal-error",
      "errors": [],
      "request_id": "0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11"
    }
  }
};
