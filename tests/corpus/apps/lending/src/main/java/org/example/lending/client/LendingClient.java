package org.example.lending.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.web.client.RestTemplate;

/** What the branch libraries use. */
public class LendingClient {
    private static final String BASE = "https://lending.example";

    private final RestTemplate rest = new RestTemplate();
    private final HttpClient http = HttpClient.newHttpClient();

    public Object[] late() {
        return rest.getForObject(BASE + "/loans/late", Object[].class);
    }

    public void takeBack(long id) {
        rest.delete(BASE + "/loans/{id}", id);
    }

    public String lend(String card, long book) throws Exception {
        HttpRequest request = HttpRequest.newBuilder()
                .uri(URI.create(BASE + "/loans?card=" + card + "&book=" + book))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
