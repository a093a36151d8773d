//! An agent with the Rust SDK and its OAuth client. Usage: agent <client> <identification>; ../other-clients.ts says what it does.

use std::env::{args, var};
use std::error::Error;
use std::io::stdin;

use rmcp::ClientServiceExt;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{
    AuthClient, AuthorizationCallback, AuthorizationManager, AuthorizationRequest, CredentialStore,
    InMemoryCredentialStore, OAuthState, WWWAuthenticateParams,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use url::Url;

type Outcome<T> = Result<T, Box<dyn Error>>;
type Client = AuthClient<reqwest::Client>;
type Service = RunningService<RoleClient, ()>;

fn setting(name: &str) -> String {
    var(name).unwrap_or_default()
}

/// Sends the person to the URL and returns the callback.
fn visit(url: &str) -> Outcome<String> {
    println!("{}", json!({ "open": url }));
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

async fn connect(client: Client) -> Result<Service, rmcp::service::ClientInitializeError> {
    let config = StreamableHttpClientTransportConfig::with_uri(setting("MCP_URL"));
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    ().serve_with_lifecycle(transport, ClientLifecycleMode::Auto { preferred_versions, legacy_version: None }).await
}

/// The first request has no token: its challenge says what to ask for.
async fn authorize(store: &InMemoryCredentialStore) -> Outcome<AuthorizationManager> {
    let mut manager = AuthorizationManager::new(setting("MCP_URL")).await?;
    let nobody = AuthClient::new(reqwest::Client::default(), AuthorizationManager::new(setting("MCP_URL")).await?);
    let refused = connect(nobody).await.err().ok_or("nobody was let in")?;
    let challenge = refused.auth_challenge().ok_or_else(|| refused.to_string())?;
    let request = AuthorizationRequest::new(setting("REDIRECT_URI"))
        .with_client_name("Agent in Rust")
        .with_initial_scope_selection()
        .with_challenge(challenge);
    let request = match args().nth(2).unwrap_or_default().as_str() {
        "metadata document" => request.with_client_metadata_url(setting("DOCUMENT_URL")),
        "pre-registered" => {
            request.with_preregistered_client(setting("CLIENT_ID")).with_client_secret(setting("CLIENT_SECRET"))
        }
        _ => request,
    };
    manager.set_credential_store(store.clone());
    let mut state = OAuthState::Unauthorized(manager);
    state.start_authorization(request).await?;
    let callback = visit(&state.get_authorization_url().await?)?;
    state.handle_callback_url(&callback).await?;
    Ok(state.into_authorization_manager().ok_or("not authorized")?)
}

/// The challenge of a call without its scope names it.
async fn ask_for_more(manager: &AuthorizationManager, challenge: &str) -> Outcome<()> {
    let params = WWWAuthenticateParams::parse(challenge, &Url::parse(&setting("MCP_URL"))?);
    let url = manager.request_scope_upgrade(&params.scope.ok_or("no scope")?).await?;
    let callback = AuthorizationCallback::from_redirect_url(&visit(&url)?)?;
    let issuer = callback.issuer.as_deref();
    manager.exchange_code_for_token_with_issuer(&callback.code, &callback.csrf_token, issuer).await?;
    Ok(())
}

async fn call(service: &Service, client: &Client, tool: &'static str, arguments: Value) -> Outcome<()> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = match service.call_tool(params.clone()).await {
        Err(error) if error.auth_challenge().is_some() => {
            ask_for_more(&*client.auth_manager.lock().await, error.auth_challenge().unwrap_or_default()).await?;
            service.call_tool(params).await?
        }
        result => result?,
    };
    let text = result.content.first().and_then(|part| part.as_text()).map(|part| part.text.clone());
    println!("{}", json!({ "tool": tool, "text": text }));
    Ok(())
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let store = InMemoryCredentialStore::new();
    let client = AuthClient::new(reqwest::Client::default(), authorize(&store).await?);
    let service = connect(client.clone()).await?;
    println!("{}", json!({ "revision": service.peer_info().map(|server| server.protocol_version.to_string()) }));
    call(&service, &client, "users_is", json!({ "id": 1 })).await?;
    call(&service, &client, "post_create", json!({ "message": setting("MESSAGE") })).await?;
    let mut credentials = store.load().await?.ok_or("no credentials")?;
    if let Some(tokens) = credentials.token_response.as_mut() {
        tokens.set_access_token(oauth2::AccessToken::new("expired".into()));
    }
    store.save(credentials).await?;
    call(&service, &client, "users_show", json!({})).await
}
