package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/**
 * One request as it reaches the cloud.
 *
 * @param subject the instance it concerns where one is known, else the interface or subnet; empty
 *     for listings
 * @param number how many requests of this operation came before, from 0
 */
public record CloudCall(CloudOperation operation, String subject, long number) {
  public CloudCall {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(subject, "subject");
  }
}
