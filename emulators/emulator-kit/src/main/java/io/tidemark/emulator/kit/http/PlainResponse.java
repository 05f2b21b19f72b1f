package io.tidemark.emulator.kit.http;

import java.util.Objects;

/** A response outside the EC2 protocol; text in UTF-8. */
public record PlainResponse(int status, String contentType, String body) {
  public PlainResponse {
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
  }
}
