"""Applications that follow the quickstart of a Python library. Usage: clients.py <library> <flow>.

The environment has ISSUER, CLIENT_ID, CLIENT_SECRET (empty for a public application) and REDIRECT_URI. The program
prints {"open": URL} to send its user to the authorization server, reads the callback URL from standard input, and
prints {"access_token": ..., "name": ...} at the end.
"""

import asyncio
import json
import os
import sys

issuer = os.environ["ISSUER"]
client_id = os.environ["CLIENT_ID"]
client_secret = os.environ["CLIENT_SECRET"] or None
redirect_uri = os.environ["REDIRECT_URI"]
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the service is on this machine
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

authorization_endpoint = issuer + "/oauth/authorize"
token_endpoint = issuer + "/oauth/token"
scope = "users posts"


def visit(url):
    print(json.dumps({"open": url}), flush=True)
    return sys.stdin.readline().strip()


def connect_device(user_code):
    print(json.dumps({"device": user_code}), flush=True)
    sys.stdin.readline()


def finish(access_token, name=None):
    print(json.dumps({"access_token": access_token, "name": name}), flush=True)


def authlib(flow):
    import requests
    from authlib.common.security import generate_token
    from authlib.integrations.requests_client import OAuth2Session
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.jwk import KeySet

    if flow == "client credentials":
        client = OAuth2Session(client_id, client_secret, scope="users")
        return finish(client.fetch_token(token_endpoint)["access_token"])
    is_sign_in = flow == "sign-in (OpenID Connect)"
    client = OAuth2Session(
        client_id,
        client_secret,
        scope="openid profile email" if is_sign_in else scope,
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_basic" if client_secret else "none",
    )
    verifier, nonce = generate_token(48), generate_token()
    url, state = client.create_authorization_url(authorization_endpoint, code_verifier=verifier, nonce=nonce)
    callback = visit(url)
    token = client.fetch_token(token_endpoint, authorization_response=callback, code_verifier=verifier, state=state)
    if flow == "refresh":
        token = client.refresh_token(token_endpoint, token["refresh_token"])
    if not is_sign_in:
        return finish(token["access_token"])
    metadata = requests.get(issuer + "/.well-known/openid-configuration").json()
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token["id_token"], keys)
    claims = CodeIDToken(decoded.claims, decoded.header, params={"nonce": nonce, "client_id": client_id})
    claims.validate()
    finish(token["access_token"], claims["name"])


def requests_oauthlib(flow):
    from oauthlib.oauth2 import BackendApplicationClient
    from requests_oauthlib import OAuth2Session

    if flow == "client credentials":
        backend = OAuth2Session(client=BackendApplicationClient(client_id=client_id, scope=["users"]))
        token = backend.fetch_token(token_endpoint, client_id=client_id, client_secret=client_secret)
        return finish(token["access_token"])
    session = OAuth2Session(client_id, redirect_uri=redirect_uri, scope=scope.split(" "), pkce="S256")
    url, _state = session.authorization_url(authorization_endpoint)
    secret = {"client_secret": client_secret} if client_secret else {"include_client_id": True}
    token = session.fetch_token(token_endpoint, authorization_response=visit(url), **secret)
    if flow == "refresh":
        credentials = {"client_id": client_id, "client_secret": client_secret}
        token = session.refresh_token(token_endpoint, **credentials)
    finish(token["access_token"])


def httpx_oauth(flow):
    from urllib.parse import parse_qs, urlparse

    from httpx_oauth.clients.openid import OpenID

    async def run():
        client = OpenID(client_id, client_secret or "", issuer + "/.well-known/openid-configuration")
        is_sign_in = flow == "sign-in (OpenID Connect)"
        url = await client.get_authorization_url(
            redirect_uri, state="state", scope=["openid", "profile", "email"] if is_sign_in else scope.split(" ")
        )
        code = parse_qs(urlparse(visit(url)).query)["code"][0]
        token = await client.get_access_token(code, redirect_uri)
        if flow == "refresh":
            token = await client.refresh_token(token["refresh_token"])
        if not is_sign_in:
            return finish(token["access_token"])
        profile = await client.get_profile(token["access_token"])
        finish(token["access_token"], profile["name"])

    asyncio.run(run())


def social_auth_core(flow):
    """The backend behind social-auth-app-django and -flask, with a strategy that keeps its session in memory."""
    from urllib.parse import parse_qsl, urlparse

    from social_core.backends.open_id_connect import OpenIdConnectAuth
    from social_core.storage import AssociationMixin, BaseStorage
    from social_core.strategy import BaseStrategy

    class Strategy(BaseStrategy):
        session = {}
        data = {}
        settings = {"OIDC_OIDC_ENDPOINT": issuer, "OIDC_KEY": client_id, "OIDC_SECRET": client_secret}

        def get_setting(self, name):
            return self.settings[name.replace("SOCIAL_AUTH_", "")]

        def request_data(self, merge=True):
            return self.data

        def request_host(self):
            return "localhost"

        def build_absolute_uri(self, path=None):
            return path

        def session_get(self, name, default=None):
            return self.session.get(name, default)

        def session_set(self, name, value):
            self.session[name] = value

        def session_pop(self, name):
            self.session.pop(name, None)

    class Nonces:
        """The values of state in use."""

        known = {}

        @classmethod
        def use(cls, server_url, timestamp, salt):
            return cls.known.setdefault((server_url, salt), timestamp) == timestamp

        @classmethod
        def consume(cls, server_url, timestamp, salt):
            return cls.known.pop((server_url, salt), None) == timestamp

    class Associations(AssociationMixin):
        """The nonces in use."""

        known = []

        @classmethod
        def store(cls, server_url, association):
            stored = cls()
            stored.id, stored.server_url, stored.handle = len(cls.known), server_url, association.handle
            stored.issued, stored.lifetime = association.issued, association.lifetime
            stored.assoc_type = association.assoc_type
            cls.known.append(stored)

        @classmethod
        def get(cls, server_url, handle):
            return [one for one in cls.known if (one.server_url, one.handle) == (server_url, handle)]

        @classmethod
        def remove(cls, ids):
            cls.known = [one for one in cls.known if one.id not in ids]

    class Storage(BaseStorage):
        nonce = Nonces
        association = Associations

    strategy = Strategy(storage=Storage)
    backend = OpenIdConnectAuth(strategy, redirect_uri=redirect_uri)
    callback = visit(backend.auth_url())
    strategy.data = dict(parse_qsl(urlparse(callback).query))
    backend.data = strategy.data
    response = backend.request_access_token(
        backend.access_token_url(),
        data=backend.auth_complete_params(backend.validate_state()),
        headers=backend.auth_headers(),
        auth=backend.auth_complete_credentials(),
        method=backend.ACCESS_TOKEN_METHOD,
    )
    details = backend.get_user_details(backend.user_data(response["access_token"]))
    finish(response["access_token"], details["fullname"])


def oic(flow):
    from oic.oic import Client
    from oic.oic.message import AuthorizationResponse, RegistrationResponse
    from oic.utils.authn.client import CLIENT_AUTHN_METHOD

    client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
    client.provider_config(issuer)
    client.store_registration_info(RegistrationResponse(client_id=client_id, client_secret=client_secret))
    arguments = {
        "client_id": client_id,
        "response_type": "code",
        "scope": ["openid", "profile", "email"],
        "state": "state-1",
        "nonce": "nonce-1",
        "redirect_uri": redirect_uri,
    }
    request = client.construct_AuthorizationRequest(request_args=arguments)
    callback = visit(request.request(client.authorization_endpoint))
    response = client.parse_response(AuthorizationResponse, info=callback.split("?", 1)[1], sformat="urlencoded")
    token = client.do_access_token_request(
        state=response["state"],
        request_args={"code": response["code"], "redirect_uri": redirect_uri},
        authn_method="client_secret_basic",
    )
    info = client.do_user_info_request(state=response["state"])
    finish(token["access_token"], info["name"])


libraries = {
    "authlib": authlib,
    "requests-oauthlib": requests_oauthlib,
    "httpx-oauth": httpx_oauth,
    "social-auth-core": social_auth_core,
    "oic": oic,
}

libraries[sys.argv[1]](sys.argv[2])
