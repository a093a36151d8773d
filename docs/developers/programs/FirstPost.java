import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.regex.Pattern;

public class FirstPost {
  static final String BASE_URL = "http://localhost:3000";

  public static void main(String[] arguments) throws Exception {
    String credentials = "YOUR_CLIENT_ID" + ":" + System.getenv("CLIENT_SECRET");
    String basic = "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes());
    String token = find("access_token", send("/oauth/token", basic, "grant_type=client_credentials"));

    String created = send("/api/v2.0/post/create", "Bearer " + token, "message=Hello+from+the+API+%23Linnet");
    System.out.println("Published " + find("link", created));
  }

  static String send(String path, String authorization, String form) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(BASE_URL + path))
        .header("Authorization", authorization)
        .header("Accept", "application/json")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form))
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException(response.body());
    return response.body();
  }

  // Java has no JSON parser. Use the one of your framework instead.
  static String find(String name, String json) {
    return Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json).results().findFirst().orElseThrow().group(1);
  }
}
