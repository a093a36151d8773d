// Recorded by `pnpm openapi` from a running service. Do not edit.
import type { RecordedExamples } from '../openapi/recorded-calls.ts';

export const recordedOAuth: RecordedExamples = {
  "calls": {
    "oauthAuthorize": [
      {
        "title": "Sign-in",
        "request": {
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "response_type": "code",
          "redirect_uri": "https://app.example.com/callback",
          "scope": "openid profile email posts",
          "state": "af0ifjsldkj"
        },
        "response": {}
      }
    ],
    "oauthToken": [
      {
        "title": "Exchange a code",
        "request": {
          "grant_type": "authorization_code",
          "code": "TR3FrlC4zJjsXkP0qvNdWm2yBhGe7uLaOi5cKt9DsVx",
          "redirect_uri": "https://app.example.com/callback",
          "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        },
        "response": {
          "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl",
          "expires_in": 3600,
          "id_token": "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl",
          "refresh_token": "rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE",
          "scope": "openid profile posts",
          "token_type": "Bearer",
          "app_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ"
        }
      },
      {
        "title": "Refresh",
        "request": {
          "grant_type": "refresh_token",
          "refresh_token": "rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE"
        },
        "response": {
          "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl",
          "expires_in": 3600,
          "id_token": "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl",
          "refresh_token": "rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE",
          "scope": "openid profile posts",
          "token_type": "Bearer",
          "app_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ"
        }
      },
      {
        "title": "Client credentials",
        "request": {
          "grant_type": "client_credentials",
          "scope": "posts"
        },
        "response": {
          "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl",
          "expires_in": 3600,
          "scope": "posts",
          "token_type": "Bearer",
          "app_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ"
        }
      }
    ],
    "oauthUserInfo": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "sub": "114582761947136",
          "name": "Ada Byron",
          "given_name": "Ada",
          "family_name": "Byron",
          "preferred_username": "ada_lovelace",
          "picture": "https://linnet.example/media/avatars/5f0c1d2e3a4b5c6d.svg",
          "profile": "https://linnet.example/@ada_lovelace",
          "locale": "en",
          "updated_at": 1795186800
        }
      }
    ],
    "oauthIntrospect": [
      {
        "title": "An active token",
        "request": {
          "token": "rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE"
        },
        "response": {
          "active": true,
          "sub": "114582761947136",
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "exp": 1795190400,
          "iat": 1795186800,
          "iss": "https://linnet.example",
          "jti": "kTIPfycfyHBiIsFNK4YJBOfcKmrEI3toHGgL7vVz_nh",
          "aud": "https://linnet.example/api/v2.0",
          "scope": "openid profile posts",
          "token_type": "Bearer",
          "username": "ada_lovelace"
        }
      },
      {
        "title": "Another token",
        "request": {
          "token": "unknown"
        },
        "response": {
          "active": false
        }
      }
    ],
    "oauthDeviceAuthorization": [
      {
        "title": "Success",
        "request": {
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "scope": "posts"
        },
        "response": {
          "device_code": "Gq0qkz8yYJ3mD1fS7nQhErvvVvw4MHXuY3vYtqnPvLb",
          "user_code": "WDJB-MJHT",
          "verification_uri": "https://linnet.example/oauth/device",
          "verification_uri_complete": "https://linnet.example/oauth/device?user_code=WDJB-MJHT",
          "expires_in": 600,
          "interval": 5
        }
      }
    ],
    "oauthPushedRequest": [
      {
        "title": "Success",
        "request": {
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "response_type": "code",
          "redirect_uri": "https://app.example.com/callback",
          "scope": "openid profile email posts",
          "state": "af0ifjsldkj",
          "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          "code_challenge_method": "S256"
        },
        "response": {
          "expires_in": 60,
          "request_uri": "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"
        }
      }
    ],
    "oauthRegister": [
      {
        "title": "A public client",
        "request": {
          "client_name": "Aviary",
          "redirect_uris": [
            "https://app.example.com/callback"
          ],
          "token_endpoint_auth_method": "none",
          "scope": "posts"
        },
        "response": {
          "client_id": "app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "client_id_issued_at": 1795186800,
          "client_name": "Aviary",
          "application_type": "web",
          "redirect_uris": [
            "https://app.example.com/callback"
          ],
          "response_types": [
            "code"
          ],
          "token_endpoint_auth_method": "none",
          "scope": "posts",
          "strict": false,
          "grant_types": [
            "authorization_code",
            "refresh_token"
          ],
          "require_pkce": true,
          "require_pushed_authorization_requests": false,
          "dpop_bound_access_tokens": false,
          "token_endpoint_auth_signing_alg": "any",
          "id_token_signed_response_alg": "RS256",
          "post_logout_redirect_uris": [],
          "backchannel_logout_session_required": false,
          "registration_client_uri": "https://linnet.example/oauth/register/app_8Jr2tqkVZ0mXwL5yNcD3bQ",
          "registration_access_token": "q0mDkT6HvYtqnPvLbGq0qkz8yYJ3mD1fS7nQhErvvVw"
        }
      }
    ],
    "oauthKeys": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "keys": [
            {
              "kty": "EC",
              "use": "sig",
              "kid": "hd6uIxeMWTpsBqdzmj1oTSjKysIpt2ksbpwzrXmcdbY",
              "alg": "ES256",
              "crv": "P-256",
              "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
              "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
            },
            {
              "kty": "EC",
              "use": "sig",
              "kid": "hd6uIxeMWTpsBqdzmj1oTSjKysIpt2ksbpwzrXmcdbY",
              "alg": "ES256",
              "crv": "P-256",
              "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
              "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
            },
            {
              "kty": "RSA",
              "use": "sig",
              "kid": "hd6uIxeMWTpsBqdzmj1oTSjKysIpt2ksbpwzrXmcdbY",
              "alg": "RS256",
              "e": "AQAB",
              "n": "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw"
            },
            {
              "kty": "RSA",
              "use": "sig",
              "kid": "hd6uIxeMWTpsBqdzmj1oTSjKysIpt2ksbpwzrXmcdbY",
              "alg": "RS256",
              "e": "AQAB",
              "n": "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw"
            }
          ]
        }
      }
    ],
    "oauthMetadata": [
      {
        "title": "Success",
        "request": {},
        "response": {
          "issuer": "https://linnet.example",
          "authorization_endpoint": "https://linnet.example/oauth/authorize",
          "token_endpoint": "https://linnet.example/oauth/token",
          "pushed_authorization_request_endpoint": "https://linnet.example/oauth/par",
          "device_authorization_endpoint": "https://linnet.example/oauth/device_authorization",
          "jwks_uri": "https://linnet.example/oauth/jwks",
          "revocation_endpoint": "https://linnet.example/oauth/revoke",
          "introspection_endpoint": "https://linnet.example/oauth/introspect",
          "code_challenge_methods_supported": [
            "S256"
          ],
          "authorization_response_iss_parameter_supported": true,
          "subject_types_supported": [
            "public"
          ],
          "id_token_signing_alg_values_supported": [
            "ES256",
            "RS256"
          ],
          "userinfo_endpoint": "https://linnet.example/oauth/userinfo",
          "end_session_endpoint": "https://linnet.example/oauth/logout",
          "registration_endpoint": "https://linnet.example/oauth/register",
          "client_id_metadata_document_supported": true,
          "response_types_supported": [
            "code",
            "token"
          ],
          "response_modes_supported": [
            "query",
            "fragment",
            "form_post"
          ],
          "grant_types_supported": [
            "authorization_code",
            "refresh_token",
            "client_credentials",
            "implicit",
            "urn:ietf:params:oauth:grant-type:device_code"
          ],
          "scopes_supported": [
            "openid",
            "profile",
            "users",
            "posts",
            "email",
            "users:read",
            "posts:read"
          ],
          "token_endpoint_auth_methods_supported": [
            "client_secret_basic",
            "client_secret_post",
            "private_key_jwt",
            "none"
          ],
          "token_endpoint_auth_signing_alg_values_supported": [
            "ES256",
            "PS256",
            "EdDSA",
            "RS256"
          ],
          "dpop_signing_alg_values_supported": [
            "ES256",
            "PS256",
            "EdDSA"
          ],
          "revocation_endpoint_auth_methods_supported": [
            "client_secret_basic",
            "client_secret_post",
            "private_key_jwt",
            "none"
          ],
          "revocation_endpoint_auth_signing_alg_values_supported": [
            "ES256",
            "PS256",
            "EdDSA",
            "RS256"
          ],
          "introspection_endpoint_auth_methods_supported": [
            "client_secret_basic",
            "client_secret_post",
            "private_key_jwt"
          ],
          "introspection_endpoint_auth_signing_alg_values_supported": [
            "ES256",
            "PS256",
            "EdDSA",
            "RS256"
          ],
          "claims_supported": [
            "iss",
            "sub",
            "aud",
            "exp",
            "iat",
            "nonce",
            "auth_time",
            "amr",
            "sid",
            "name",
            "given_name",
            "family_name",
            "preferred_username",
            "picture",
            "profile",
            "locale",
            "updated_at",
            "email",
            "email_verified"
          ],
          "prompt_values_supported": [
            "none",
            "login",
            "select_account",
            "consent"
          ],
          "backchannel_logout_supported": true,
          "backchannel_logout_session_supported": true,
          "ui_locales_supported": [
            "en",
            "de",
            "fr",
            "es"
          ],
          "request_parameter_supported": false,
          "request_uri_parameter_supported": false,
          "claims_parameter_supported": true
        }
      }
    ],
    "oauthRevoke": [
      {
        "title": "Success",
        "request": {
          "token": "rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE"
        },
        "response": {}
      }
    ]
  },
  "problems": {
    "oauthToken 400 invalid_grant": {
      "error": "invalid_grant",
      "error_description": "grant request is invalid"
    },
    "oauthToken 400 unsupported_grant_type": {
      "error": "unsupported_grant_type",
      "error_description": "unsupported grant_type requested"
    },
    "oauthToken 401 invalid_client": {
      "error": "invalid_client",
      "error_description": "client authentication failed"
    },
    "oauthUserInfo 401 invalid_token": {
      "error": "invalid_token"
    },
    "oauthIntrospect 401 invalid_client": {
      "error": "invalid_client",
      "error_description": "client authentication failed"
    },
    "oauthPushedRequest 400 invalid_request": {
      "error": "invalid_request",
      "error_description": "redirect_uri did not match any of the client's registered redirect_uris"
    },
    "oauthRegister 400 invalid_redirect_uri": {
      "error": "invalid_redirect_uri",
      "error_description": "The redirect URI 'http://app.example.com/' uses http. Use https; http is only allowed for localhost, 127.0.0.1 and [::1]."
    },
    "oauthRevoke 401 invalid_client": {
      "error": "invalid_client",
      "error_description": "client authentication failed"
    },
    "oauthDeviceAuthorization 401 invalid_client": {
      "error": "invalid_client",
      "error_description": "client authentication failed"
    }
  }
};
