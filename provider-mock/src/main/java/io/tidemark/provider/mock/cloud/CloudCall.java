package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/**
 * One request as it reaches the cloud.
 *
 * @param subject the instance concerned if known, else the interface or subnet; empty for listings
 * @param number the number of earlier requests of this operation
 */
public record CloudCall(CloudOperation operation, String subject, long number) {
  public CloudCall {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(subject, "subject");
  }
}
