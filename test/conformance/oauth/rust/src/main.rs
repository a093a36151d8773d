//! Applications that follow the quickstart of a Rust library. Usage: clients <library> <flow>.
//!
//! The environment has ISSUER, CLIENT_ID, CLIENT_SECRET (empty for a public application) and REDIRECT_URI. The program
//! prints {"open": URL} to send its user to the authorization server, reads the callback URL from standard input, and
//! prints {"access_token": ..., "name": ...} at the end.

use std::env::{args, var};
use std::error::Error;
use std::io::stdin;

use oauth2::basic::BasicClient;
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, DeviceAuthorizationUrl, PkceCodeChallenge, RedirectUrl,
    Scope, StandardDeviceAuthorizationResponse, TokenResponse, TokenUrl,
};
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata};
use openidconnect::{IssuerUrl, Nonce, TokenResponse as _};
use serde_json::json;

type Outcome = Result<(String, Option<String>), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let library = args().nth(1).unwrap_or_default();
    let flow = args().nth(2).unwrap_or_default();
    let (access_token, name) = match library.as_str() {
        "oauth2" => use_oauth2(&flow)?,
        "openidconnect" => use_openidconnect()?,
        _ => return Err(library.into()),
    };
    println!("{}", json!({ "access_token": access_token, "name": name }));
    Ok(())
}

fn setting(name: &str) -> String {
    var(name).unwrap_or_default()
}

fn secret() -> Option<ClientSecret> {
    Some(setting("CLIENT_SECRET")).filter(|secret| !secret.is_empty()).map(ClientSecret::new)
}

/// Sends the user to the URL and returns the code of the callback.
fn visit(url: &str, state: &str) -> Result<AuthorizationCode, Box<dyn Error>> {
    println!("{}", json!({ "open": url }));
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    let callback = openidconnect::url::Url::parse(line.trim())?;
    let value = |name: &str| callback.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if value("state").as_deref() != Some(state) {
        return Err(format!("unexpected callback: {callback}").into());
    }
    Ok(AuthorizationCode::new(value("code").ok_or("no code")?))
}

fn use_oauth2(flow: &str) -> Outcome {
    let issuer = setting("ISSUER");
    let mut client = BasicClient::new(ClientId::new(setting("CLIENT_ID")))
        .set_auth_uri(AuthUrl::new(format!("{issuer}/oauth/authorize"))?)
        .set_token_uri(TokenUrl::new(format!("{issuer}/oauth/token"))?)
        .set_device_authorization_url(DeviceAuthorizationUrl::new(format!("{issuer}/oauth/device_authorization"))?)
        .set_redirect_uri(RedirectUrl::new(setting("REDIRECT_URI"))?);
    if let Some(secret) = secret() {
        client = client.set_client_secret(secret);
    }
    let http = oauth2::ureq::AgentBuilder::new().redirects(0).build();
    if flow == "client credentials" {
        let tokens = client.exchange_client_credentials().add_scope(Scope::new("users".into())).request(&http)?;
        return Ok((tokens.access_token().secret().clone(), None));
    }
    if flow == "device" {
        let details: StandardDeviceAuthorizationResponse =
            client.exchange_device_code().add_scope(Scope::new("users".into())).request(&http)?;
        println!("{}", json!({ "device": details.user_code().secret() }));
        stdin().read_line(&mut String::new())?;
        let tokens = client.exchange_device_access_token(&details).request(&http, std::thread::sleep, None)?;
        return Ok((tokens.access_token().secret().clone(), None));
    }
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, state) = client
        .authorize_url(CsrfToken::new_random)
        .add_scopes(["users", "posts"].map(|scope| Scope::new(scope.into())))
        .set_pkce_challenge(challenge)
        .url();
    let code = visit(url.as_str(), state.secret())?;
    let mut tokens = client.exchange_code(code).set_pkce_verifier(verifier).request(&http)?;
    if flow == "refresh" {
        let refresh_token = tokens.refresh_token().ok_or("no refresh token")?.clone();
        tokens = client.exchange_refresh_token(&refresh_token).request(&http)?;
    }
    Ok((tokens.access_token().secret().clone(), None))
}

fn use_openidconnect() -> Outcome {
    let http = openidconnect::ureq::AgentBuilder::new().redirects(0).build();
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(setting("ISSUER"))?, &http)?;
    let client = CoreClient::from_provider_metadata(metadata, ClientId::new(setting("CLIENT_ID")), secret())
        .set_redirect_uri(openidconnect::RedirectUrl::new(setting("REDIRECT_URI"))?);
    let (challenge, verifier) = openidconnect::PkceCodeChallenge::new_random_sha256();
    let (url, state, nonce) = client
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            openidconnect::CsrfToken::new_random,
            Nonce::new_random,
        )
        .add_scopes(["profile", "email"].map(|scope| openidconnect::Scope::new(scope.into())))
        .set_pkce_challenge(challenge)
        .url();
    let code = visit(url.as_str(), state.secret())?;
    let tokens = client.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;
    let id_token = tokens.id_token().ok_or("no ID token")?;
    let claims = id_token.claims(&client.id_token_verifier(), &nonce)?;
    let name = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
    Ok((tokens.access_token().secret().clone(), name))
}
