package io.tidemark.emulator.ec2.http;

import java.util.Optional;

/**
 * One incoming request.
 *
 * @param authorization the header of that name
 * @param securityToken the header {@code X-Amz-Security-Token} of temporary credentials
 * @param query the part of the URL after the question mark; empty if there is none
 * @param body of a POST; empty otherwise
 */
public record Exchange(
    Optional<String> authorization, Optional<String> securityToken, String query, String body) {

  /** A request that is signed with permanent credentials. */
  public Exchange(Optional<String> authorization, String query, String body) {
    this(authorization, Optional.empty(), query, body);
  }
}
