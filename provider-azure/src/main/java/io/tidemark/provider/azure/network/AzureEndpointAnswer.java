package io.tidemark.provider.azure.network;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Who answers at an endpoint. Resource Manager answers every request with the id of the request and
 * with its form of JSON, also one that it refuses; a proxy or a web server does not.
 *
 * @param ofResourceManager whether Resource Manager answers there
 * @param detail the answer, in a sentence without a full stop
 * @param skew how far its clock is ahead of ours, to some seconds; negative if ours is ahead, empty
 *     where the answer has no date
 */
public record AzureEndpointAnswer(
    boolean ofResourceManager, String detail, Optional<Duration> skew) {
  /** Of a response that came {@code now}. */
  static AzureEndpointAnswer of(
      int status, Optional<String> requestId, String body, Optional<String> date, Instant now) {
    boolean ofResourceManager = requestId.isPresent() && AnswersJson.isOfResourceManager(body);
    return new AzureEndpointAnswer(
        ofResourceManager,
        ofResourceManager
            ? "answers"
            : "status "
                + status
                + (requestId.isPresent()
                    ? " without the JSON of Resource Manager"
                    : " without a request id of Azure")
                + "; something else answers there, such as a proxy",
        date.flatMap(AzureEndpointAnswer::instant).map(there -> Duration.between(now, there)));
  }

  private static Optional<Instant> instant(String date) {
    try {
      return Optional.of(
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
