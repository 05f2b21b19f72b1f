package io.tidemark.emulator.ec2.http;

import java.util.Objects;
import java.util.Optional;

/**
 * One request as it came in.
 *
 * @param authorization the header of that name
 * @param query the part of the URL after the question mark; empty when there is none
 * @param body of a POST; empty otherwise
 */
public record Exchange(Optional<String> authorization, String query, String body) {
  public Exchange {
    Objects.requireNonNull(authorization, "authorization");
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(body, "body");
  }
}
