//! Uses the client that progenitor generates while it is compiled: posts, lists the feed, and reads a problem.
use std::env::var;

use reqwest::header::{AUTHORIZATION, HeaderMap};

progenitor::generate_api!("known.json");

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {}", var("ACCESS_TOKEN")?).parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&format!("{}/api/v2.0", var("BASE_URL")?), http);

    let body: types::PostCreateBody = serde_json::from_value(serde_json::json!({ "message": var("MESSAGE")? }))?;
    client.post_create(None, &body).await?;
    let feed = client.feed(Some(1), None, None).await?;
    println!("{} by {}", feed.items[0].text, feed.items[0].user.username);

    match client.post_show(std::num::NonZeroU64::MIN).await {
        Err(Error::ErrorResponse(missing)) => println!("{} {}", missing.status().as_u16(), missing.code),
        other => panic!("{other:?}"),
    }
    Ok(())
}
